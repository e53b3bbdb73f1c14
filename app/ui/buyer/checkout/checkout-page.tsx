import { BadgeCheck, Lock, MailCheck, ShieldCheck } from "lucide-react";
import { formatSeenPrices } from "#app/domain/pricing/quote.ts";
import { paths } from "#app/kit/paths.ts";
import { BuyerFields } from "#app/ui/buyer/checkout/buyer-fields.tsx";
import { type CheckoutView, isFreeWhateverChosen } from "#app/ui/buyer/checkout/checkout-view.ts";
import { CouponField, DefaultButton } from "#app/ui/buyer/checkout/coupon-field.tsx";
import { OfferEnd, OtherOffers, QuantityField } from "#app/ui/buyer/checkout/offer.tsx";
import { OrderBumps } from "#app/ui/buyer/checkout/order-bumps.tsx";
import { OrderTotal, PayButton, TotalBar } from "#app/ui/buyer/checkout/order-total.tsx";
import { PaymentMethods, PixPanel } from "#app/ui/buyer/checkout/pix-panel.tsx";
import { describeContact } from "#app/ui/buyer/describe-contact.ts";
import { ErrorSummary, OtherOrderLink } from "#app/ui/buyer/field.tsx";
import { Bought, OrderSummary } from "#app/ui/buyer/order-summary.tsx";
import { MailAddress } from "#app/ui/buyer/purchases/mail-address.tsx";
import { SellerIdentity } from "#app/ui/buyer/seller/identity.tsx";
import { Picture } from "#app/ui/picture.tsx";

/** The checkout, top to bottom. Its form has no action: campaign parameters stay in the URL. */
export function CheckoutPage(view: CheckoutView) {
  const { product, settings, form } = view;
  return (
    <main className="page">
      {view.headerHtml && <div className="zone" dangerouslySetInnerHTML={{ __html: view.headerHtml }} />}
      {settings.urgency_timer_enabled && <Countdown {...view} />}
      <form method="post" noValidate className={`checkout${product.priceCents > 0 ? "" : " is-free"}`}>
        <DefaultButton {...view} />
        <Heading {...view} />
        <ErrorSummary errors={form.errors} alert={form.alert}>
          <OtherOrderLink saleId={form.heldBySaleId} />
        </ErrorSummary>
        {form.isOwnedAlready && <Owned email={form.values.customer_email ?? ""} />}
        {/* autoComplete: a browser that restores a form must not restore the values of another visit. */}
        <input type="hidden" name="seen_prices" value={formatSeenPrices(product)} autoComplete="off" />
        {view.pixPercent > 0 && (
          <input type="hidden" name="seen_pix_discount" value={view.pixPercent} autoComplete="off" />
        )}
        {product.offer?.kind === "tier" && (
          <input type="hidden" name="seen_offer" value={product.offer.id} autoComplete="off" />
        )}
        <input type="hidden" name="seen_guarantee" value={settings.guarantee_days} autoComplete="off" />
        {(form.isOwnedAlready || form.isRepurchase) && <input type="hidden" name="again" value="1" />}
        <div className="main">
          <Bought product={product}>
            <OfferEnd {...product} />
          </Bought>
          <BuyerFields {...view} />
          {!isFreeWhateverChosen(product) &&
            (view.takesCards && settings.enable_pix ? (
              <PaymentMethods isCard={form.isCard} pixPercent={view.pixPercent} />
            ) : (
              <PixPanel enabled={settings.enable_pix} />
            ))}
        </div>
        <div className="aside">
          <OrderSummary product={product}>
            <OfferEnd {...product} />
            <QuantityField {...view} />
          </OrderSummary>
          <OrderBumps {...view} />
        </div>
        <div className="pay">
          <CouponField {...view} />
          <OrderTotal {...view} />
          <AdConsent {...view} />
          <PayButton {...view} />
          {view.warning && !isFreeWhateverChosen(product) && (
            <p className="fine notice of-payment">{view.warning}</p>
          )}
        </div>
        <Trust {...view} />
      </form>
      {form.isOwnedAlready && (
        <form method="post" action={paths.findPurchase()} id={ACCESS}>
          <input type="hidden" name="email" value={form.values.customer_email ?? ""} />
        </form>
      )}
      <OtherOffers {...view} />
      <Foot {...view} />
      <TotalBar {...view} />
    </main>
  );
}

/**
 * Shown only if there is an advertiser to notify. No answer counts as no, and a yes is to those that are named: the buyer is
 * asked anew where another one was added since.
 */
function AdConsent({ advertisers, form }: CheckoutView) {
  if (advertisers.length === 0) return null;
  const kinds = advertisers.map(({ kind }) => kind);
  const names = new Intl.ListFormat("pt-BR").format(advertisers.map(({ name }) => name));
  const { adConsent, namedKinds = kinds } = form;
  const isChecked = adConsent && kinds.every((kind) => namedKinds.includes(kind));
  return (
    <label className="consent fine">
      <input type="checkbox" name="ad_consent" value={kinds.join()} defaultChecked={isChecked} />
      <span>Aceito que dados desta compra sejam enviados {names} para medir anúncios. Opcional.</span>
    </label>
  );
}

function Countdown({ product, settings, form, exampleCountdown }: CheckoutView) {
  const minutes = settings.urgency_timer_minutes;
  return (
    <urgency-countdown
      class="ck-countdown"
      data-product={product.id}
      data-minutes={minutes}
      data-kept={form.posted || undefined}
    >
      Oferta expira em: <time>{exampleCountdown ?? `${String(minutes).padStart(2, "0")}:00`}</time>
    </urgency-countdown>
  );
}

function Heading({ product, settings }: CheckoutView) {
  const brand = settings.brand_name || product.name;
  const logo = settings.brand_logo_url;
  if (!product.bannerImageUrl)
    return (
      <h1 className={`brand ck-brand${settings.brand_name || logo ? "" : " is-product"}`}>
        <Picture url={logo} alt={brand} width={160} height={40} fetchPriority="high" fallback={brand} />
      </h1>
    );
  const inside = (
    <>
      <Picture
        url={product.bannerImageUrl}
        width={1200}
        height={300}
        sizes={BANNER_SIZES}
        fetchPriority="high"
        fallback={null}
      />
      <Picture url={logo} className="logo" alt={brand} width={160} height={48} fallback={null} />
    </>
  );
  return (
    <header>
      <h1 className="hush">{brand}</h1>
      {product.bannerLinkUrl ? (
        <a
          className="banner ck-banner"
          href={product.bannerLinkUrl}
          rel="noopener"
          aria-label={`Conheça ${product.name}`}
        >
          {inside}
        </a>
      ) : (
        <div className="banner ck-banner">{inside}</div>
      )}
    </header>
  );
}

/** As wide as its column: `.page` and `.checkout` have the same padding. */
const BANNER_SIZES = "(min-width:56rem) min(37.5rem, 100vw - 28.5rem), calc(100vw - 2rem)";

/** A separate form, because forms cannot be nested. */
const ACCESS = "acesso";

function Owned({ email }: { email: string }) {
  return (
    <div className="alert is-wait" role="alert" id="ja-comprou">
      <div className="stack">
        <p>
          <b>Você já comprou este produto.</b> Se perdeu o acesso, enviamos o link de novo para{" "}
          <MailAddress of={email} />. Para comprar outra vez, confira os dados e finalize.
        </p>
        <button type="submit" form={ACCESS} className="btn">
          Receber o link de acesso
        </button>
      </div>
    </div>
  );
}

function Trust({ product, settings, takesCards }: CheckoutView) {
  return (
    <div className="trust">
      {!isFreeWhateverChosen(product) && (
        <div className="card guarantee of-payment">
          <ShieldCheck aria-hidden size={28} strokeWidth={1.75} />
          <p className="small">
            <b>Garantia de {settings.guarantee_days} dias</b>
            <span className="muted">Não gostou? Peça seu dinheiro de volta nesse prazo.</span>
          </p>
        </div>
      )}
      {settings.trust_badges_enabled && (
        <ul className="ck-badges" aria-label="Selos de confiança">
          <li className="row">
            <Lock aria-hidden size={14} /> Dados criptografados
          </li>
          {!isFreeWhateverChosen(product) && (
            <li className="row of-payment">
              <BadgeCheck aria-hidden size={14} /> {takesCards ? "PIX ou cartão" : "Pagamento via PIX"}
            </li>
          )}
          {settings.require_email && (
            <li className="row">
              <MailCheck aria-hidden size={14} /> Acesso por e-mail
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

function Foot({ product, settings, contact, store, footerHtml }: CheckoutView) {
  const contactHere = describeContact(contact, settings.require_email, store);
  return (
    <>
      <footer className="foot">
        <p>
          Vendido por <b>{product.sellerName}</b>
        </p>
        <SellerIdentity store={store} />
        {contactHere && <p>Atendimento: {contactHere}</p>}
        <p>
          {settings.terms_url && <a href={settings.terms_url}>Termos de uso</a>}{" "}
          {settings.privacy_url && <a href={settings.privacy_url}>Política de privacidade</a>}{" "}
          <a href={paths.findPurchase()}>Já comprei</a>
        </p>
      </footer>
      {footerHtml && <div className="zone" dangerouslySetInnerHTML={{ __html: footerHtml }} />}
    </>
  );
}
