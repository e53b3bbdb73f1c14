import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { parseSeenTotal } from "#app/domain/order/seen-prices.ts";
import { type PaymentChoice, type Priced, quote } from "#app/domain/pricing/quote.ts";
import { formatMoney } from "#app/kit/money.ts";

/**
 * Refuses to charge more than the buyer saw. A lower price is simply charged.
 * @param seenCents null where no price was shown
 * @throws OrderRefusal price
 */
export function refusePriceIncrease(seenCents: number | null | undefined, amountCents: number): void {
  const message = priceIncreaseMessage(seenCents, amountCents);
  if (message) throw new OrderRefusal("price", message);
}

/**
 * The message of a redisplayed form whose prices, a coupon included, rose since it was shown; null where none did.
 * @param seen the output of `formatSeenPrices`, and the PIX discount in percent; 0 for a card
 */
export function describePriceIncrease(
  seen: { prices: string; pixPercent: number },
  product: Priced,
  bumpIds: number[],
  terms: { quantity: number } & PaymentChoice,
): string | null {
  const { totalCents } = quote(product, bumpIds, null, terms);
  const { quantity } = terms;
  const { pixPercent } = seen;
  return priceIncreaseMessage(parseSeenTotal(seen.prices, bumpIds, { quantity, pixPercent }), totalCents);
}

function priceIncreaseMessage(seenCents: number | null | undefined, amountCents: number): string | null {
  if (seenCents == null || amountCents <= seenCents) return null;
  return `O preço mudou: agora o total é ${formatMoney(amountCents)} (antes, ${formatMoney(seenCents)}). Nada foi cobrado. Confira e envie de novo se quiser continuar.`;
}
