/** A discount on list prices: a percentage of each line, or an amount off the product. Money in cents. */
export type Discount = { percent: number | null; amountCents: number | null; includesBumps: boolean };

/** What is sold at its list price: a product with its order bumps. */
export type Priced = { priceCents: number; bumps: { id: number; priceCents: number }[] };

/** `cents` is `listCents` without `discountCents`, of all its units. `bumpId` is null for the product. */
export type QuoteLine = {
  bumpId: number | null;
  quantity: number;
  listCents: number;
  discountCents: number;
  cents: number;
};

/** What an order costs, line by line and in all; the sums of the lines are the totals. */
export type Quote = { lines: QuoteLine[]; listCents: number; discountCents: number; totalCents: number };

/**
 * What a product with the chosen bumps costs: the only code that computes it. A unit's price depends on nothing else in the
 * order, so a page can show each price before anything is chosen. Ids of other bumps are ignored.
 * @param quantity of the product; each unit is discounted
 */
export function quote(
  product: Priced,
  bumpIds: number[],
  discount: Discount | null = null,
  quantity = 1,
): Quote {
  const ofBumps = discount?.includesBumps ? discount : null;
  const lines = [
    quoteLine({ bumpId: null, quantity }, product.priceCents, discount),
    ...product.bumps
      .filter(({ id }) => bumpIds.includes(id))
      .map(({ id, priceCents }) => quoteLine({ bumpId: id, quantity: 1 }, priceCents, ofBumps)),
  ];
  const sum = (of: "listCents" | "discountCents" | "cents") =>
    lines.reduce((total, line) => total + line[of], 0);
  return {
    lines,
    listCents: sum("listCents"),
    discountCents: sum("discountCents"),
    totalCents: sum("cents"),
  };
}

/** A product as a buyer with a coupon sees it: each price discounted, the list price as the one it was. */
export function discountPrices<T extends Item & { bumps: (Item & { id: number })[] }>(
  product: T,
  discount: Discount | null,
): T {
  if (!discount) return product;
  const lines = quote(
    product,
    product.bumps.map(({ id }) => id),
    discount,
  ).lines;
  const priced = <I extends Item>(item: I, bumpId: number | null): I => {
    const { cents, discountCents } = lines.find((line) => line.bumpId === bumpId)!;
    if (discountCents === 0) return item;
    const originalPriceCents = Math.max(item.originalPriceCents ?? 0, item.priceCents);
    return { ...item, priceCents: cents, originalPriceCents };
  };
  return { ...priced(product, null), bumps: product.bumps.map((bump) => priced(bump, bump.id)) };
}

type Item = { priceCents: number; originalPriceCents: number | null };

function quoteLine(
  line: Pick<QuoteLine, "bumpId" | "quantity">,
  unitCents: number,
  discount: Discount | null,
): QuoteLine {
  const listCents = unitCents * line.quantity;
  const discountCents = discount ? Math.min(unitCents, discountOf(unitCents, discount)) * line.quantity : 0;
  return { ...line, listCents, discountCents, cents: listCents - discountCents };
}

/** Rounded to the cent, half a cent in the buyer's favour. */
function discountOf(listCents: number, { percent, amountCents }: Discount): number {
  return percent === null ? (amountCents ?? 0) : Math.round((listCents * percent) / 100);
}
