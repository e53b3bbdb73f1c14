import { formatMoney } from "#app/kit/money.ts";

/** How much cheaper than it was, in whole per cent, 99 at most; null where it is not cheaper. */
export function discountOf(priceCents: number, originalPriceCents: number | null): number | null {
  if (!originalPriceCents || originalPriceCents <= priceCents) return null;
  // What still costs something is never 100% off.
  return Math.min(99, Math.round((1 - priceCents / originalPriceCents) * 100)) || null;
}

/** A price; the one before it, struck through, and the discount only where they are true. */
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
        {formatMoney(props.priceCents)}
      </b>
      {discount && <span className="badge">{discount}% OFF</span>}
    </span>
  );
}
