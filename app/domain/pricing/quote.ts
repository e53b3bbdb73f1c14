import { formatMoney } from "#app/kit/money.ts";

/** A discount on list prices: a percentage of each line, or an amount off each unit of the product. Money in cents. */
export type Discount = { percent: number | null; amountCents: number | null; includesBumps: boolean };

/** What is sold at its list price: a product with its order bumps. */
export type Priced = { priceCents: number; bumps: { id: number; priceCents: number }[] };

/**
 * A line with all its units. `cents` is `listCents` without the discounts: the coupon's, and the payment method's, which is
 * `pixDiscountCents` for a PIX and 0 for a card. `bumpId` is null for the product.
 */
export type QuoteLine = {
  bumpId: number | null;
  quantity: number;
  listCents: number;
  discountCents: number;
  methodDiscountCents: number;
  pixDiscountCents: number;
  cents: number;
};

/** How an order is paid. `pixPercent`: what a PIX takes off of what the coupon leaves, of every line. */
export type PaymentChoice = { pixPercent: number; isCard: boolean };

/** What an order costs, line by line and in all; the sums of the lines are the totals. */
export type Quote = Omit<QuoteLine, "bumpId" | "quantity" | "cents"> & {
  lines: QuoteLine[];
  totalCents: number;
};

/**
 * What a product with the chosen bumps costs: the only code that computes it. A unit's price depends on nothing else in the
 * order, so a page can show each price before anything is chosen. Ids of other bumps are ignored.
 * @param quantity of the product; each unit is discounted
 */
export function quote(
  product: Priced,
  bumpIds: number[],
  discount: Discount | null = null,
  { quantity = 1, pixPercent = 0, isCard = false }: { quantity?: number } & Partial<PaymentChoice> = {},
): Quote {
  const ofBumps = discount?.includesBumps ? discount : null;
  const lines = [
    quoteLine({ bumpId: null, quantity }, product.priceCents, discount, { pixPercent, isCard }),
    ...product.bumps
      .filter(({ id }) => bumpIds.includes(id))
      .map(({ id, priceCents }) =>
        quoteLine({ bumpId: id, quantity: 1 }, priceCents, ofBumps, { pixPercent, isCard }),
      ),
  ];
  const sum = (of: Exclude<keyof QuoteLine, "bumpId">) => lines.reduce((total, line) => total + line[of], 0);
  return {
    lines,
    listCents: sum("listCents"),
    discountCents: sum("discountCents"),
    methodDiscountCents: sum("methodDiscountCents"),
    pixDiscountCents: sum("pixDiscountCents"),
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
  { pixPercent, isCard }: PaymentChoice,
): QuoteLine {
  const unitDiscount = discount ? Math.min(unitCents, discountOf(unitCents, discount)) : 0;
  const unitPixDiscount = percentOf(unitCents - unitDiscount, pixPercent);
  const unitMethodDiscount = isCard ? 0 : unitPixDiscount;
  return {
    ...line,
    listCents: unitCents * line.quantity,
    discountCents: unitDiscount * line.quantity,
    methodDiscountCents: unitMethodDiscount * line.quantity,
    pixDiscountCents: unitPixDiscount * line.quantity,
    cents: (unitCents - unitDiscount - unitMethodDiscount) * line.quantity,
  };
}

function discountOf(listCents: number, { percent, amountCents }: Discount): number {
  return percent === null ? (amountCents ?? 0) : percentOf(listCents, percent);
}

/** What a unit of this price costs with a PIX. */
export function pixPrice(cents: number, pixPercent: number): number {
  return cents - percentOf(cents, pixPercent);
}

/** Rounded to the cent, half a cent in the buyer's favour. */
function percentOf(cents: number, percent: number): number {
  return Math.round((cents * percent) / 100);
}

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

/** A line as it was sold; cents. `priceCents` is what the buyer pays: the list price without the two discounts. */
export type SoldLine = {
  name: string;
  priceCents: number;
  discountCents: number;
  methodDiscountCents: number;
};

/** A line of an order that is not paid yet: `pixDiscountCents` is the method's discount if it is paid by PIX. */
export type UnpaidLine = SoldLine & { pixDiscountCents: number };

/** The code is kept with the sale; null where no coupon lowered its price. */
type Sold<L> = { lines: L[]; couponCode: string | null };

/** A row as people read it. `line` is the line it is about; null for a discount. */
type SaleRow<L> = { name: string; amount: string; line: L | null };

/**
 * A sale's lines at their list prices, and below them what its coupon and its payment method took off: the rows add up to
 * what was charged, and every page, mail and file shows the same.
 */
export function itemize<L extends SoldLine>({ lines, couponCode }: Sold<L>): SaleRow<L>[] {
  const discount = (name: string, cents: number) =>
    cents > 0 ? [{ name, amount: `− ${formatMoney(cents)}`, line: null }] : [];
  return [
    ...lines.map((line) => ({ name: line.name, amount: formatMoney(listPrice(line)), line })),
    ...(couponCode === null ? [] : discount(`Cupom ${couponCode}`, sumDiscounts(lines))),
    ...discount(
      "Desconto no PIX",
      lines.reduce((sum, { methodDiscountCents }) => sum + methodDiscountCents, 0),
    ),
  ];
}

/** An order's lines and total as it costs with this payment method; cents. */
export function priceByMethod<O extends { lines: UnpaidLine[]; amountCents: number }>(
  order: O,
  method: "pix" | "card",
): O {
  const lines = order.lines.map((line) => {
    const methodDiscountCents = method === "card" ? 0 : line.pixDiscountCents;
    const priceCents = line.priceCents + line.methodDiscountCents - methodDiscountCents;
    return { ...line, priceCents, methodDiscountCents };
  });
  const sum = (of: UnpaidLine[]) => of.reduce((total, { priceCents }) => total + priceCents, 0);
  return { ...order, lines, amountCents: order.amountCents + sum(lines) - sum(order.lines) };
}

/** What a line would cost without coupon and method; cents. */
export function listPrice(line: Omit<SoldLine, "name">): number {
  return line.priceCents + line.discountCents + line.methodDiscountCents;
}

/** What a sale's coupon took off in all; cents. */
export function sumDiscounts(lines: { discountCents: number }[]): number {
  return lines.reduce((sum, line) => sum + line.discountCents, 0);
}
