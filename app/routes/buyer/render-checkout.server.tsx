import { describeInstalment, peekInstalments } from "#app/domain/card/list-instalments.server.ts";
import { type CheckoutParams, readProductRef } from "#app/domain/catalog/find-for-sale.server.ts";
import { offersStaleAt } from "#app/domain/catalog/offers-for-sale.server.ts";
import { type CheckoutTerms, findCheckoutTerms } from "#app/domain/checkout/find-checkout-terms.server.ts";
import { type CouponCodes, NO_COUPON } from "#app/domain/coupon/choose-coupon.server.ts";
import { CANNOT_PAY } from "#app/domain/gateway/cannot-pay.ts";
import { productGone } from "#app/domain/order/order-refusal.ts";
import { refuseOfferProblem } from "#app/domain/order/reserve-offer.server.ts";
import { discountPrices } from "#app/domain/pricing/quote.ts";
import { buildCheckoutTheme } from "#app/domain/storefront/build-checkout-theme.server.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { showCoupon } from "#app/routes/buyer/checkout-coupon.server.ts";
import type { SeenTerms } from "#app/routes/buyer/checkout-form.server.ts";
import { type RenderedPage, renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { type CachedPage, cachePage } from "#app/server/pages/cached-page.server.ts";
import type { TaggedPage } from "#app/server/pages/page-cache.server.ts";
import { CheckoutPage } from "#app/ui/buyer/checkout/checkout-page.tsx";
import {
  type CheckoutForm,
  type CheckoutView,
  EMPTY_FORM,
  isFreeWhateverChosen,
} from "#app/ui/buyer/checkout/checkout-view.ts";
import { totalsOf } from "#app/ui/buyer/checkout/order-total.tsx";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";

/**
 * The checkout at an address.
 * @param seen what the sender of its form saw, at prices that the form is shown again with as long as it may be ordered
 * @throws OrderRefusal not-for-sale, or that the offer of the address cannot be ordered
 */
export async function loadCheckout(
  params: CheckoutParams,
  seen: SeenTerms | null = null,
): Promise<CheckoutTerms> {
  const ref = readProductRef(params);
  const checkout = ref && (await findCheckoutTerms(ref, seen?.seenOfferId));
  if (!checkout) throw productGone();
  const graceMs = seen ? checkout.settings.price_grace_minutes * MINUTE : 0;
  // What was typed stays on a form that says that the last unit is gone: its sender's own order may hold it.
  refuseOfferProblem(checkout.product, { isOrder: seen !== null, graceMs });
  return checkout;
}

const INVALID_LINK = "Este link já não preenche os seus dados. Preencha o formulário para continuar.";

/**
 * The form as first shown: if the seller cannot be paid it says so, and still accepts the order.
 * @param isLinkInvalid opened by a link whose data cannot be read any more
 */
export function firstForm(
  { limits, product }: CheckoutTerms,
  isLinkInvalid = false,
  { coupon } = NO_COUPON,
): CheckoutForm {
  // What is free by itself can be ordered without a provider.
  const needsPayment = discountPrices(product, coupon).priceCents > 0;
  const alerts = [...(isLinkInvalid ? [INVALID_LINK] : []), ...(limits || !needsPayment ? [] : [CANNOT_PAY])];
  return alerts.length > 0 ? { ...EMPTY_FORM, alert: alerts.join(" ") } : EMPTY_FORM;
}

/** The page, and when it becomes stale because of what it says of instalments (Unix ms). */
export async function renderCheckout(
  checkout: CheckoutTerms,
  form: CheckoutForm,
  choice = NO_COUPON,
  codes: CouponCodes | null = null,
): Promise<RenderedPage & { staleAt: number }> {
  const { product } = checkout;
  const { headerHtml, footerHtml, css, scheme } = buildCheckoutTheme(checkout);
  const priced = showCoupon(product, form, choice, codes?.typed ?? codes?.linked ?? "");
  const { instalments, staleAt } = await findInstalments({ ...checkout, ...priced });
  const view = { ...checkout, headerHtml, footerHtml, ...priced, instalments };
  const page = await renderPage(
    BUYER_SHELL,
    {
      title: `${product.name} | Finalizar compra`,
      description:
        truncate(product.description ?? "", 155) ||
        (isFreeWhateverChosen(product)
          ? `Receba ${product.name} de graça.`
          : `Compre ${product.name} ${checkout.takesCards ? "com PIX ou cartão" : "com PIX, à vista"}, em página segura.`),
      canonical: env.APP_URL + paths.checkout(product),
      imageUrl: product.imageUrl,
      // Found by a search, a price that its seller sends to some would be everybody's.
      indexed: product.offer?.kind !== "link",
      script: "form" as const,
      scheme,
      children: <CheckoutPage {...view} />,
    },
    { css },
  );
  return { ...page, staleAt };
}

/** The most instalments of what a card costs, where nothing else is chosen. */
async function findInstalments(
  checkout: CheckoutTerms & Pick<CheckoutView, "form">,
): Promise<{ instalments: CheckoutView["instalments"]; staleAt: number }> {
  const { card: ofCents } = totalsOf(checkout);
  const { offer } = checkout.product;
  const isAlone = checkout.form.bumpIds.length === 0 && (offer?.maxQuantity ?? 1) === 1;
  if (!checkout.takesCards || ofCents === 0 || !isAlone)
    return { instalments: null, staleAt: Number.POSITIVE_INFINITY };
  const { prices, staleAt } = await peekInstalments(checkout.product.sellerId, ofCents);
  const most = prices?.prices.at(-1);
  const instalments = most && most.count > 1 ? describeInstalment(most) : null;
  return { instalments, staleAt };
}

/** A page for the cache. @param staleAt when it becomes stale because of its coupon (Unix ms) */
export function toCachedPage(
  { product }: CheckoutTerms,
  rendered: RenderedPage & { staleAt: number },
  staleAt = Number.POSITIVE_INFINITY,
): TaggedPage<CachedPage> {
  return {
    tags: [String(product.id), `seller:${product.sellerId}`],
    page: cachePage(rendered),
    staleAt: Math.min(rendered.staleAt, offersStaleAt(product), staleAt),
  };
}
