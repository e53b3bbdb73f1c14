import type { Gateway } from "#app/domain/gateway/find-gateway.server.ts";
import type { WantedCharge } from "#app/domain/gateway/providers/port.ts";
import { refuseAmount } from "#app/domain/order/refuse-amount.ts";
import { refuseWithoutDocument } from "#app/domain/pix/refuse-without-document.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { randomToken } from "#app/platform/secrets.server.ts";

/** What a code is asked for with, and through whose account. */
export type Asking = { gateway: Gateway; wanted: Omit<WantedCharge, "webhookUrl"> };

/** Who pays, as the order says it. */
export type Payer = { name: string | null; document: string | null };

/**
 * What a new charge is asked for with.
 * @param charged what a refusal says of the buyer's money: see `chargedSoFar`
 * @throws Refusal where the seller's provider takes no such payment
 */
export function askingFor(gateway: Gateway, amountCents: number, payer: Payer, charged?: string): Asking {
  const { provider } = gateway;
  const document = provider.needsDocument ? payer.document : null;
  refuseAmount(provider, amountCents, charged);
  refuseWithoutDocument(provider, document, charged);
  return {
    gateway,
    wanted: { amountCents, reference: randomToken(), payer: { name: payer.name, document } },
  };
}

/** The same for a charge that is written down together with its order; null where the order goes without, and `startPix` says why. */
export function firstCharge(gateway: Gateway | null, amountCents: number, payer: Payer): Asking | null {
  try {
    return gateway && askingFor(gateway, amountCents, payer);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
