import type { Offer } from "#app/domain/pricing/offer.ts";
import { formatDayAndTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import type { CheckoutView } from "#app/ui/buyer/checkout/checkout-view.ts";

/** Until when, or for how many more, a price counts; nothing where it has neither end. */
export function OfferEnd({ offer }: Pick<CheckoutView["product"], "offer">) {
  const text = offer && describeEnd(offer);
  return text ? <p className="small muted">{text}</p> : null;
}

function describeEnd({ name, endsAt, unitsLeft }: Offer): string {
  const left = unitsLeft === null ? "" : unitsLeft === 1 ? "resta 1 unidade" : `restam ${unitsLeft} unidades`;
  const until = endsAt === null ? "" : `até ${formatDayAndTime(endsAt)}`;
  return [name, [until, left].filter(Boolean).join(", ")].filter(Boolean).join(": ");
}

/** How many units; absent where an order is always of one. */
export function QuantityField({ product: { offer }, form }: CheckoutView) {
  if (!offer || offer.maxQuantity === 1) return null;
  const { minQuantity, maxQuantity } = offer;
  const error = form.errors.quantity;
  return (
    <div className="field quantity">
      <label htmlFor="quantity">Quantidade</label>
      <input
        id="quantity"
        name="quantity"
        type="number"
        inputMode="numeric"
        min={minQuantity}
        max={maxQuantity}
        step={1}
        defaultValue={form.quantity || minQuantity}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? "quantity-erro" : undefined}
      />
      {error && (
        <p className="error" id="quantity-erro">
          {error}
        </p>
      )}
    </div>
  );
}

/** The offers that the seller names on the product's checkout; each has a checkout of its own. */
export function OtherOffers({ product: { otherOffers } }: CheckoutView) {
  if (otherOffers.length === 0) return null;
  return (
    <section className="card" aria-labelledby="outras">
      <h2 id="outras">Outras opções</h2>
      <ul className="offers">
        {otherOffers.map(({ slug, name, priceCents }) => (
          <li key={slug}>
            <a href={paths.checkout({ id: 0, checkoutSlug: slug })}>{name}</a>{" "}
            <b className="nowrap">{priceCents > 0 ? formatMoney(priceCents) : "Grátis"}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
