/** What can be priced: a product with the bumps beside it. Money in cents. */
type Priced = { priceCents: number; bumps: { id: number; priceCents: number }[] };

/** The prices a page shows, for its form to send back: `9700 12:1990 13:990` is the product's, then each bump's by id. */
export function writeSeenPrices({ priceCents, bumps }: Priced): string {
  return [priceCents, ...bumps.map((bump) => `${bump.id}:${bump.priceCents}`)].join(" ");
}

/**
 * The total a buyer saw, in cents, from what `writeSeenPrices` wrote and the bumps they chose; a bump the page did not
 * show counts as nothing.
 * @returns null where the form told no prices
 */
export function readSeenTotal(text: string, bumpIds: number[]): number | null {
  if (!/^\d{1,9}( \d{1,15}:\d{1,9})*$/.test(text)) return null;
  const [own, ...bumps] = text.split(" ");
  const prices = new Map(bumps.map((bump) => bump.split(":").map(Number) as [number, number]));
  return [...new Set(bumpIds)].reduce((sum, id) => sum + (prices.get(id) ?? 0), Number(own));
}

/** What a product costs now with the chosen bumps, in cents. */
export function totalOf(product: Priced, bumpIds: number[]): number {
  const chosen = product.bumps.filter((bump) => bumpIds.includes(bump.id));
  return chosen.reduce((sum, bump) => sum + bump.priceCents, product.priceCents);
}
