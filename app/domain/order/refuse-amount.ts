import { NOTHING_CHARGED } from "#app/domain/order/charged-text.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { formatMoney } from "#app/kit/money.ts";

/** The smallest and the largest amount of a PIX at a provider, in cents; a null maximum means no limit. */
export type AmountLimits = { minimumCents: number; maximumCents: number | null };

/** Any amount is valid. */
export const NO_LIMITS: AmountLimits = { minimumCents: 0, maximumCents: null };

/**
 * Refuses an amount for which the seller's provider creates no PIX, before the provider is called.
 * @param charged what is true of the buyer's money: see `chargedText`
 * @throws OrderRefusal amount
 */
export function refuseAmount(
  { minimumCents, maximumCents }: AmountLimits,
  amountCents: number,
  charged: string = NOTHING_CHARGED,
): void {
  if (amountCents < minimumCents) throw amountRefusal(`a partir de ${formatMoney(minimumCents)}`, charged);
  if (maximumCents !== null && amountCents > maximumCents)
    throw amountRefusal(`de até ${formatMoney(maximumCents)}`, charged);
}

function amountRefusal(amounts: string, charged: string): OrderRefusal {
  const message = `O PIX deste vendedor só aceita pagamentos ${amounts}. ${charged}.`;
  return new OrderRefusal("amount", message);
}
