import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { readProductRef } from "#app/domain/catalog/find-for-sale.server.ts";
import { findCheckoutTerms } from "#app/domain/checkout/payment-terms.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { CANNOT_PAY } from "#app/domain/gateway/cannot-pay.ts";
import {
  getRequiredFields,
  type OrderFields,
  readSeenAt,
  readSeenDays,
  validateOrder,
} from "#app/domain/order/order-form.server.ts";
import { productGone } from "#app/domain/order/order-refusal.ts";
import { buildCheckoutTheme } from "#app/domain/storefront/build-checkout-theme.server.ts";
import { detectDevice } from "#app/kit/device.ts";
import { paths, RETRY_AFTER_FAILURE, RETRY_PARAMETER } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";
import {
  answered,
  prefilled,
  readFields,
  refilled,
  settleMail,
} from "#app/routes/buyer/checkout-form.server.ts";
import { parseFormData } from "#app/server/forms/forms.server.ts";
import { buyerPage, pageResponse, renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { type CachedPage, cachePage, sendCachedPage } from "#app/server/pages/cached-page.server.ts";
import { pageCache } from "#app/server/pages/page-cache.server.ts";
import { clientIp } from "#app/server/request/client.server.ts";
import { retryHeaders, toFailure } from "#app/server/response/failure.server.ts";
import { readAdVisit } from "#app/server/session/ad-visit.server.ts";
import { readBuyerContext } from "#app/server/session/buyer-context.server.ts";
import { recallOrder, rememberOrder } from "#app/server/session/order-cookie.server.ts";
import { rememberSale } from "#app/server/session/sales-cookie.server.ts";
import { CheckoutPage } from "#app/ui/buyer/checkout-page.tsx";
import { type CheckoutForm, EMPTY_FORM } from "#app/ui/buyer/checkout-view.ts";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";

type Checkout = NonNullable<Awaited<ReturnType<typeof findCheckoutTerms>>>;
type Params = { productId?: string; slug?: string };

const NOT_APPROVED = "Pagamento não foi aprovado. Tente novamente.";
const CONFIRM_MAIL = "Confira o seu e-mail: é para lá que vai o acesso.";

const cached = pageCache<CachedPage>();

/**
 * The checkout: the same page for everyone, cached; a form that is returned, filled or with errors, is rendered for its
 * sender.
 */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const query = new URL(request.url).searchParams;
    const values = prefilled(query);
    // A returning buyer gets an uncached page, also without cookies: the query parameter makes its URL different.
    if (values || query.has(RETRY_PARAMETER)) {
      const checkout = await find(params);
      const typed = query.has(RETRY_PARAMETER) ? await recallOrder(request, checkout.product.id) : null;
      const form = { ...untouched(checkout), ...refilled(values, typed) };
      if (query.get(RETRY_PARAMETER) === RETRY_AFTER_FAILURE) form.alert = NOT_APPROVED;
      return pageResponse(render(checkout, form));
    }
    const key = params.slug ? `s:${params.slug.toLowerCase()}` : `id:${params.productId}`;
    const page = await cached(key, async () => {
      const checkout = await find(params);
      const tags = [String(checkout.product.id), `seller:${checkout.product.sellerId}`];
      return { tags, page: cachePage(render(checkout, untouched(checkout))) };
    });
    return sendCachedPage(page!, request);
  });
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const data = await parseFormData(request);
    const text = (name: string) => String(data.get(name) ?? "");
    const { fields, likely } = settleMail(data, readFields(data));
    const seenPrices = text("seen_prices");
    const seenGuarantee = readSeenDays(text("seen_guarantee"));
    if (likely) return renderMailQuestion(params, fields, likely, text("ad_consent") === "1");
    // Set also if no PIX could be created: the next attempt belongs to the same sale.
    const cookies: [string, string][] = [];
    try {
      const placed = await placeOrder({
        product: readProductRef(params),
        fields,
        campaign: new URL(request.url).searchParams,
        ip: clientIp(request),
        ads: readAdVisit(request, text("ad_consent") === "1"),
        device: detectDevice(request.headers.get("user-agent")),
        seenAt: readSeenAt(text("seen_for")),
        seenPrices,
        seenGuaranteeDays: seenGuarantee,
        timerEndsAt: Number(text("offer_expires_at")),
        isRepurchase: text("again") === "1",
        buyerContext: await readBuyerContext(request, text("own_name")),
      });
      cookies.push(["Set-Cookie", await rememberSale(request, placed.saleId)]);
      if (placed.refusal) throw placed.refusal;
      cookies.push(...Object.entries(await rememberOrder(placed.productId, fields)));
      return redirect(paths.pix(placed.saleId), { status: 303, headers: cookies });
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === "not-found") throw error;
      const failure = toFailure(error, request);
      // What was refused may have changed since the form was sent: it is shown as it is now.
      const checkout = await find(params);
      const page = render(checkout, {
        ...answered(checkout, fields, { seenPrices, seenGuarantee }, error),
        adConsent: text("ad_consent") === "1",
      });
      const headers = Object.fromEntries([...Object.entries(retryHeaders(failure)), ...cookies]);
      return pageResponse(page, { status: failure.status, headers });
    }
  });
}

/**
 * Suggests a correction once, before the order is placed, together with all other errors: the script suggests it by itself
 * and marks the form so.
 */
async function renderMailQuestion(
  params: Params,
  fields: OrderFields,
  likelyMail: string,
  adConsent: boolean,
): Promise<Response> {
  const { order_bumps, ...values } = fields;
  const checkout = await find(params);
  const form = {
    ...EMPTY_FORM,
    errors: validateOrder(fields, getRequiredFields(checkout.settings)),
    values,
    bumpIds: order_bumps.map(Number),
    posted: true,
    likelyMail,
    adConsent,
  };
  return pageResponse(render(checkout, { ...form, alert: CONFIRM_MAIL }), { status: 400 });
}

async function find(params: Params): Promise<Checkout> {
  const ref = readProductRef(params);
  const checkout = ref && (await findCheckoutTerms(ref));
  if (!checkout) throw productGone();
  return checkout;
}

/** The form as first shown: if the seller cannot be paid it says so, and still accepts the order. */
function untouched({ limits }: Checkout): CheckoutForm {
  return limits ? EMPTY_FORM : { ...EMPTY_FORM, alert: CANNOT_PAY };
}

function render(checkout: Checkout, form: CheckoutForm) {
  const { product, contact } = checkout;
  const { headerHtml, footerHtml, css, scheme } = buildCheckoutTheme(checkout);
  const view = { ...checkout, contact, headerHtml, footerHtml, form };
  return renderPage(
    BUYER_SHELL,
    {
      title: `${product.name} | Finalizar compra`,
      description:
        product.description?.slice(0, 155) || `Compre ${product.name} com PIX, à vista, em página segura.`,
      canonical: env.APP_URL + paths.checkout(product),
      imageUrl: product.imageUrl,
      indexed: true,
      isForm: true,
      scheme,
      children: <CheckoutPage {...view} />,
    },
    { css },
  );
}
