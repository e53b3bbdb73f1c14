import { NOTHING_CHARGED } from "#app/domain/order/nothing-charged.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { formatMoney } from "#app/kit/money.ts";

/** The least and the greatest amount a provider makes a PIX of, in cents; no greatest one where it is null. */
export type AmountLimits = { minimumCents: number; maximumCents: number | null };

/** Any amount will do. */
export const NO_LIMITS: AmountLimits = { minimumCents: 0, maximumCents: null };

/**
 * Refuses an amount that the seller's provider takes no PIX of, before it is asked for one.
 * @param charged what is true of the buyer's money: see `chargedSoFar`
 * @throws OrderRefusal amount
 */
export function refuseAmount(
  { minimumCents, maximumCents }: AmountLimits,
  amountCents: number,
  charged: string = NOTHING_CHARGED,
): void {
  if (amountCents < minimumCents) throw onlyTakes(`a partir de ${formatMoney(minimumCents)}`, charged);
  if (maximumCents !== null && amountCents > maximumCents)
    throw onlyTakes(`de até ${formatMoney(maximumCents)}`, charged);
}

function onlyTakes(amounts: string, charged: string): OrderRefusal {
  const message = `O PIX deste vendedor só aceita pagamentos ${amounts}. ${charged}.`;
  return new OrderRefusal("amount", message);
}
