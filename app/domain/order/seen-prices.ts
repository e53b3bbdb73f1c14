import { type Priced, pixPrice, quote } from "#app/domain/pricing/quote.ts";

/**
 * The prices that a page shows, for its form to submit: `9700 12:1990 13:990` is the product's, then each bump's by
 * id.
 */
export function formatSeenPrices(product: Priced): string {
  const everyBump = product.bumps.map(({ id }) => id);
  return quote(product, everyBump)
    .lines.map(({ bumpId, cents }) => (bumpId === null ? cents : `${bumpId}:${cents}`))
    .join(" ");
}

/**
 * The total that a buyer saw, in cents, from the output of `formatSeenPrices`, the chosen bumps, how many units of the
 * product, and the PIX discount that was shown; a bump that was not shown counts as 0.
 * @returns null where the form has no valid prices
 */
export function parseSeenTotal(
  text: string,
  bumpIds: number[],
  { quantity = 1, pixPercent = 0 }: { quantity?: number; pixPercent?: number } = {},
): number | null {
  if (!/^\d{1,9}( \d{1,15}:\d{1,9})*$/.test(text)) return null;
  const [productCents, ...bumps] = text.split(" ");
  const prices = new Map(bumps.map((bump) => bump.split(":").map(Number) as [number, number]));
  return [...new Set(bumpIds)].reduce(
    (sum, id) => sum + pixPrice(prices.get(id) ?? 0, pixPercent),
    pixPrice(Number(productCents), pixPercent) * quantity,
  );
}
