import type { Gateway } from "#app/domain/gateway/find-gateway.server.ts";
import type { ChargeRequest } from "#app/domain/gateway/providers/port.ts";
import { refuseAmount } from "#app/domain/order/refuse-amount.ts";
import { refuseWithoutDocument } from "#app/domain/pix/refuse-without-document.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { randomToken } from "#app/platform/secrets.server.ts";

/** A charge to be requested, and the account for it. */
export type PreparedCharge = { gateway: Gateway; chargeRequest: Omit<ChargeRequest, "webhookUrl"> };

/** The payer, as in the order. */
export type Payer = { name: string | null; document: string | null };

/**
 * Builds the request of a new charge.
 * @param chargedNote what a refusal states about the buyer's money: see `chargedText`
 * @throws Refusal where the seller's provider does not accept such a payment
 */
export function prepareCharge(
  gateway: Gateway,
  amountCents: number,
  payer: Payer,
  chargedNote?: string,
): PreparedCharge {
  const { provider } = gateway;
  const document = provider.needsDocument ? payer.document : null;
  refuseAmount(provider, amountCents, chargedNote);
  refuseWithoutDocument(provider, document, chargedNote);
  return {
    gateway,
    chargeRequest: { amountCents, reference: randomToken(), payer: { name: payer.name, document } },
  };
}

/** The same for a charge that is inserted with its order; null where that is refused: `startPix` then gives the reason. */
export function prepareFirstCharge(
  gateway: Gateway | null,
  amountCents: number,
  payer: Payer,
): PreparedCharge | null {
  try {
    return gateway && prepareCharge(gateway, amountCents, payer);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
