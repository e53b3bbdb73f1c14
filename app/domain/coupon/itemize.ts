import { formatMoney } from "#app/kit/money.ts";

/** A line as it was sold; cents. `priceCents` is what the buyer pays: the list price without the discount. */
type SoldLine = { name: string; priceCents: number; discountCents: number };

/** The code is kept with the sale; null where no coupon lowered its price. */
type Sold<L> = { lines: L[]; couponCode: string | null };

/** A row as people read it. `line` is the line it is about; null for the discount. */
export type SaleRow<L> = { name: string; amount: string; line: L | null };

/**
 * A sale's lines at their list prices, and below them what its coupon took off: the rows add up to what was charged, and
 * every page, mail and file shows the same.
 */
export function itemize<L extends SoldLine>({ lines, couponCode }: Sold<L>): SaleRow<L>[] {
  const discountCents = sumDiscounts(lines);
  return [
    ...lines.map((line) => ({
      name: line.name,
      amount: formatMoney(line.priceCents + line.discountCents),
      line,
    })),
    ...(couponCode !== null && discountCents > 0
      ? [{ name: `Cupom ${couponCode}`, amount: `− ${formatMoney(discountCents)}`, line: null }]
      : []),
  ];
}

/** What a sale's coupon took off in all; cents. */
export function sumDiscounts(lines: { discountCents: number }[]): number {
  return lines.reduce((sum, line) => sum + line.discountCents, 0);
}
