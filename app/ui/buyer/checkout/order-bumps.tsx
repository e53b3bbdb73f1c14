import { pixPrice } from "#app/domain/pricing/quote.ts";
import type { CheckoutView } from "#app/ui/buyer/checkout/checkout-view.ts";
import { originalOf, Price } from "#app/ui/buyer/price.tsx";
import { Picture } from "#app/ui/picture.tsx";

/** Order bumps to add with one tap. Without JavaScript the new total is shown on the next page, and a note says so. */
export function OrderBumps({ product, settings, form, pixPercent }: CheckoutView) {
  if (product.bumps.length === 0) return null;
  return (
    <section className={`card bumps bumps-${settings.order_bump_style}`} aria-labelledby="ofertas">
      <h2 id="ofertas" className="ck-bumps-title">
        {settings.order_bump_title}
      </h2>
      {settings.order_bump_subtitle && (
        <p className="muted small ck-bumps-subtitle">{settings.order_bump_subtitle}</p>
      )}
      <div>
        {product.bumps.map((bump) => (
          <label className="bump" key={bump.id}>
            <input
              type="checkbox"
              name="order_bumps"
              value={bump.id}
              defaultChecked={form.bumpIds.includes(bump.id)}
              data-price={bump.priceCents}
              data-original={originalOf(bump)}
              data-due={pixPrice(bump.priceCents, pixPercent)}
            />
            <Picture url={bump.imageUrl} width={56} height={56} loading="lazy" fallback={null} />
            <span>
              <span className="name">{bump.name}</span>
              {bump.description && <span className="small muted">{bump.description}</span>}
              <Price priceCents={bump.priceCents} originalPriceCents={bump.originalPriceCents} prefix="+ " />
              {bump.promotionText && <span className="promo">{bump.promotionText} </span>}
              {bump.urgencyText && <span className="small muted">{bump.urgencyText}</span>}
            </span>
          </label>
        ))}
      </div>
      <noscript>
        <p className="fine">As ofertas escolhidas entram no total da próxima tela, antes de você pagar.</p>
      </noscript>
    </section>
  );
}
