import { ChevronDown, Lock } from "lucide-react";
import { shownQuantity } from "#app/domain/pricing/offer.ts";
import { pixPrice, quote } from "#app/domain/pricing/quote.ts";
import { buttonText } from "#app/domain/storefront/checkout-settings.ts";
import { formatMoney } from "#app/kit/money.ts";
import { type CheckoutView, isFreeWhateverChosen } from "#app/ui/buyer/checkout/checkout-view.ts";
import { originalOf } from "#app/ui/buyer/price.tsx";

/** The total of the selected products, with the PIX discount and with a card, and the total without promotions. In cents. */
export function totalsOf({
  product,
  form,
  pixPercent,
}: Pick<CheckoutView, "product" | "form" | "pixPercent">) {
  const quantity = shownQuantity(form.quantity, product.offer);
  const chosen = product.bumps.filter((bump) => form.bumpIds.includes(bump.id));
  const { totalCents, pixDiscountCents } = quote(product, form.bumpIds, null, { quantity, pixPercent });
  return {
    total: totalCents,
    card: totalCents + pixDiscountCents,
    original: chosen.reduce((sum, bump) => sum + originalOf(bump), originalOf(product) * quantity),
  };
}

function howPaid({ takesCards, pixPercent }: CheckoutView): string {
  if (pixPercent > 0) return `no PIX, com ${pixPercent}% de desconto`;
  return takesCards ? "no PIX ou no cartão" : "à vista no PIX";
}
const HOW_FREE = "sem pagamento: o acesso é liberado na hora";

/** 'Total a pagar'; `order-total` updates every `data-total` on the page as bumps are selected. */
export function OrderTotal(view: CheckoutView) {
  const { total, original } = totalsOf(view);
  const { product, settings } = view;
  return (
    <order-total
      data-price={product.priceCents}
      data-free={product.priceCents > 0 ? undefined : HOW_FREE}
      data-paid={product.priceCents > 0 || isFreeWhateverChosen(product) ? undefined : howPaid(view)}
      data-original={originalOf(product)}
      data-due={pixPrice(product.priceCents, view.pixPercent)}
    >
      <section className={`card total total-${settings.total_section_style}`} aria-labelledby="total">
        <div>
          <h2 id="total">Total a pagar</h2>
          <p className="small muted">
            <span data-how="">{total > 0 ? howPaid(view) : HOW_FREE}</span>
            {view.pixPercent === 0 && <Instalments {...view} />}
          </p>
        </div>
        <div>
          <p className="row" aria-live="polite">
            <span className="sum" data-total="">
              {formatMoney(total)}
            </span>
            <s data-was="" hidden={original <= total}>
              {formatMoney(original)}
            </s>
          </p>
          <p className="promo" data-saving="" hidden={original <= total}>
            Economia de {formatMoney(original - total)}
          </p>
        </div>
        {view.pixPercent > 0 && <WithCard {...view} />}
      </section>
    </order-total>
  );
}

/** What a card costs, where that is another amount. */
function WithCard(view: CheckoutView) {
  const { card } = totalsOf(view);
  return (
    <p className="small with-card">
      <b className="nowrap" data-card-total="">
        {formatMoney(card)}
      </b>{" "}
      no cartão
      <Instalments {...view} />
    </p>
  );
}

/** Those of the product alone: the stylesheet hides them once a bump is chosen. */
function Instalments({ instalments }: CheckoutView) {
  return instalments ? <span data-instalments=""> ou {instalments}</span> : null;
}

/** The button, below everything else, so that buyers have seen it all. */
export function PayButton({ product, settings }: CheckoutView) {
  const isFree = isFreeWhateverChosen(product);
  return (
    <div>
      <button
        type="submit"
        className={`btn btn-main buy buy-${settings.button_style} wide`}
        disabled={!settings.enable_pix && product.priceCents > 0}
        data-busy={isFree ? "Processando pedido..." : "Processando pagamento..."}
        data-unsent={`Erro ao processar ${isFree ? "pedido" : "pagamento"}. Nada foi cobrado e seus dados continuam aqui. Tente novamente.`}
      >
        <Lock aria-hidden size={18} />
        <span>{buttonText(settings, isFree)}</span>
      </button>
    </div>
  );
}

/** Keeps the total in sight on a phone; the link leads to the order summary, not past it. */
export function TotalBar(view: CheckoutView) {
  return (
    <p className="total-bar">
      <span>
        <span className="small muted">{view.pixPercent > 0 ? "No PIX " : "Total "}</span>
        <b className="nowrap" data-total="">
          {formatMoney(totalsOf(view).total)}
        </b>
      </span>
      <a href="#resumo">
        Ver pedido <ChevronDown aria-hidden size={16} />
      </a>
    </p>
  );
}
