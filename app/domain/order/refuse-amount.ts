import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { formatMoney } from "#app/kit/money.ts";

/** The least and the greatest amount a provider makes a PIX of, in cents; no greatest one where it is null. */
export type AmountLimits = { minimumCents: number; maximumCents: number | null };

/** Any amount will do. */
export const NO_LIMITS: AmountLimits = { minimumCents: 0, maximumCents: null };

/**
 * Refuses an amount that the seller's provider takes no PIX of, before it is asked for one.
 * @throws OrderRefusal amount
 */
export function refuseAmount({ minimumCents, maximumCents }: AmountLimits, amountCents: number): void {
  const limit =
    amountCents < minimumCents
      ? `a partir de ${formatMoney(minimumCents)}`
      : maximumCents !== null && amountCents > maximumCents
        ? `de até ${formatMoney(maximumCents)}`
        : null;
  if (limit === null) return;
  throw new OrderRefusal("amount", `O PIX deste vendedor só aceita pagamentos ${limit}. Nada foi cobrado.`);
}
