import { formatMoney } from "#app/kit/money.ts";

/** The discount in whole percent, 100 of what is free alone; null if there is none. */
export function discountOf(priceCents: number, originalPriceCents: number | null): number | null {
  if (!originalPriceCents || originalPriceCents <= priceCents) return null;
  if (priceCents === 0) return 100;
  // Something that still has a price is never 100% off.
  return Math.min(99, Math.round((1 - priceCents / originalPriceCents) * 100)) || null;
}

/** The price without promotions: an original price that is lower than the price counts as none. */
export function originalOf(item: { priceCents: number; originalPriceCents: number | null }): number {
  return Math.max(item.originalPriceCents ?? 0, item.priceCents);
}

/** A price; the original price, struck through, and the discount only if they are true. */
export function Price(props: { priceCents: number; originalPriceCents: number | null; prefix?: string }) {
  const discount = discountOf(props.priceCents, props.originalPriceCents);
  return (
    <span className="prices">
      {discount && (
        <s>
          <span className="hush">De </span>
          {formatMoney(props.originalPriceCents!)}
        </s>
      )}
      <b>
        {props.prefix}
        {props.priceCents > 0 ? formatMoney(props.priceCents) : "Grátis"}
      </b>
      {discount && <span className="badge">{discount}% OFF</span>}
    </span>
  );
}
