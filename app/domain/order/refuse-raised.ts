import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { readSeenTotal, totalOf } from "#app/domain/order/seen-prices.ts";
import { formatMoney } from "#app/kit/money.ts";

/**
 * Nobody is charged more than they saw. A lower price is simply charged.
 * @param seenCents null where nobody was shown a price
 * @throws OrderRefusal price
 */
export function refuseRaised(seenCents: number | null | undefined, amountCents: number): void {
  const message = raisedMessage(seenCents, amountCents);
  if (message) throw new OrderRefusal("price", message);
}

/** What a form that comes back says of prices that rose since it was shown; null where none did. */
export function tellRaised(
  seenPrices: string,
  product: Parameters<typeof totalOf>[0],
  bumpIds: number[],
): string | null {
  return raisedMessage(readSeenTotal(seenPrices, bumpIds), totalOf(product, bumpIds));
}

function raisedMessage(seenCents: number | null | undefined, amountCents: number): string | null {
  if (seenCents == null || amountCents <= seenCents) return null;
  return `O preço mudou: agora o total é ${formatMoney(amountCents)} (antes, ${formatMoney(seenCents)}). Nada foi cobrado. Confira e envie de novo se quiser continuar.`;
}
