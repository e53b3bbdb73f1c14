/** A product with its bumps. Money in cents. */
type Priced = { priceCents: number; bumps: { id: number; priceCents: number }[] };

/**
 * The prices that a page shows, for its form to submit: `9700 12:1990 13:990` is the product's, then each bump's by
 * id.
 */
export function formatSeenPrices({ priceCents, bumps }: Priced): string {
  return [priceCents, ...bumps.map((bump) => `${bump.id}:${bump.priceCents}`)].join(" ");
}

/**
 * The total that a buyer saw, in cents, from the output of `formatSeenPrices` and the chosen bumps; a bump that was
 * not shown counts as 0.
 * @returns null where the form has no valid prices
 */
export function parseSeenTotal(text: string, bumpIds: number[]): number | null {
  if (!/^\d{1,9}( \d{1,15}:\d{1,9})*$/.test(text)) return null;
  const [productCents, ...bumps] = text.split(" ");
  const prices = new Map(bumps.map((bump) => bump.split(":").map(Number) as [number, number]));
  return [...new Set(bumpIds)].reduce((sum, id) => sum + (prices.get(id) ?? 0), Number(productCents));
}

/** The current price of a product with the chosen bumps, in cents. */
export function computeTotal(product: Priced, bumpIds: number[]): number {
  const chosen = product.bumps.filter((bump) => bumpIds.includes(bump.id));
  return chosen.reduce((sum, bump) => sum + bump.priceCents, product.priceCents);
}
