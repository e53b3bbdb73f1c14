import type { CheckoutView } from "#app/ui/buyer/checkout/checkout-view.ts";
import { OtherOrderLink } from "#app/ui/buyer/field.tsx";

/** Submits the form without ordering: the page comes back with the coupon applied. */
export const APPLY_COUPON = "coupon";

/** A code that lowers the price: closed until needed, hidden where the seller has no coupon for this product. */
export function CouponField({ product, coupon, form }: CheckoutView) {
  // Empty: the order has no coupon, whatever the address names. Its buyer could not remove that one.
  if (!product.hasCoupons) return <input type="hidden" name="coupon" value="" autoComplete="off" />;
  const error = form.errors.coupon;
  return (
    <details className="coupon" open={Boolean(coupon || error)}>
      <summary>Tem um cupom?</summary>
      <div className="field">
        <label htmlFor="coupon">Código do cupom</label>
        <div className="row">
          <input
            id="coupon"
            name="coupon"
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            defaultValue={form.couponCode}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? "coupon-erro" : undefined}
          />
          <button
            type="submit"
            name="intent"
            value={APPLY_COUPON}
            formNoValidate
            className="btn"
            data-busy="…"
          >
            <span>Aplicar</span>
          </button>
        </div>
        {error && (
          <p className="error" id="coupon-erro">
            {error} <OtherOrderLink saleId={form.heldBySaleId} />
          </p>
        )}
        {coupon && (
          // biome-ignore lint/a11y/noAutofocus: the page came back because the coupon was applied
          <p className="good" role="status" tabIndex={-1} autoFocus={form.posted}>
            Cupom {coupon.code} aplicado: {coupon.discount}
          </p>
        )}
        {coupon?.note && <p className="fine">{coupon.note}</p>}
      </div>
    </details>
  );
}

/**
 * The button that Enter presses in any field: browsers take the first one of a form, which would otherwise be the
 * coupon's.
 */
export function DefaultButton({ product }: CheckoutView) {
  if (!product.hasCoupons) return null;
  return <button type="submit" className="hush" tabIndex={-1} aria-hidden="true" />;
}
