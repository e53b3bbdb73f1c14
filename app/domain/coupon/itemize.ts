import { formatMoney } from "#app/kit/money.ts";

/** A line as it was sold; cents. `priceCents` is what the buyer pays: the list price without the two discounts. */
export type SoldLine = {
  name: string;
  priceCents: number;
  discountCents: number;
  methodDiscountCents: number;
};

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

/** What a line would cost without coupon and method; cents. */
export function listPrice(line: Omit<SoldLine, "name">): number {
  return line.priceCents + line.discountCents + line.methodDiscountCents;
}

/** What a sale's coupon took off in all; cents. */
export function sumDiscounts(lines: { discountCents: number }[]): number {
  return lines.reduce((sum, line) => sum + line.discountCents, 0);
}
