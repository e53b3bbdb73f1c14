import { formatMoney } from "#app/kit/money.ts";

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
export type SaleRow<L> = { name: string; amount: string; line: L | null };

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
