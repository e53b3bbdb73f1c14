import type { Gateway } from "#app/domain/gateway/find-gateway.server.ts";
import type { ChargeRequest, Provider } from "#app/domain/gateway/providers/port.ts";
import { NOTHING_CHARGED, refuseAmount } from "#app/domain/order/order-refusal.ts";
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

/**
 * Refuses a payer without CPF or CNPJ where the provider needs one. Checkouts require it; older orders may lack it.
 * @param chargedNote what the refusal states about the buyer's money: see `chargedText`
 * @throws Refusal conflict, with a message for the buyer
 */
export function refuseWithoutDocument(
  { needsDocument }: Pick<Provider, "needsDocument">,
  document: string | null,
  chargedNote: string = NOTHING_CHARGED,
): void {
  if (!needsDocument || document) return;
  throw new Refusal(
    "conflict",
    `Para gerar o PIX deste vendedor é preciso informar o CPF. Volte à página do produto e faça o pedido de novo. ${chargedNote}.`,
  );
}
