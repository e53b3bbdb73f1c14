import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { productRef } from "#app/domain/catalog/find-for-sale.server.ts";
import { askedFields } from "#app/domain/checkout/asked-fields.ts";
import { findCheckoutTerms } from "#app/domain/checkout/pay-terms.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { CANNOT_PAY } from "#app/domain/gateway/cannot-pay.ts";
import {
  type OrderFields,
  orderMistakes,
  readSeenAt,
  readSeenDays,
} from "#app/domain/order/order-form.server.ts";
import { productGone } from "#app/domain/order/order-refusal.ts";
import { dressCheckout } from "#app/domain/storefront/dress-checkout.server.ts";
import { deviceOf } from "#app/kit/device.ts";
import { FAILED, paths, RETRY } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";
import {
  answered,
  prefilled,
  readFields,
  refilled,
  settleMail,
} from "#app/routes/buyer/checkout-form.server.ts";
import { CheckoutPage } from "#app/ui/buyer/checkout-page.tsx";
import { type CheckoutForm, EMPTY_FORM } from "#app/ui/buyer/checkout-view.ts";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { type KeptPage, keepPage, sendKept } from "#app/web/buyer/kept-page.server.ts";
import { buyerPage, renderPage, respond } from "#app/web/buyer/page.server.tsx";
import { pageCache } from "#app/web/buyer/page-cache.server.ts";
import { retryHeaders, toFailure } from "#app/web/errors.server.ts";
import { formOf } from "#app/web/forms.server.ts";
import { clientIp } from "#app/web/limits/client.server.ts";
import { adVisitOf } from "#app/web/session/ad-visit.server.ts";
import { recallOrder, rememberOrder } from "#app/web/session/order-cookie.server.ts";
import { placerOf } from "#app/web/session/placer.server.ts";
import { rememberSale } from "#app/web/session/sales-cookie.server.ts";

type Checkout = NonNullable<Awaited<ReturnType<typeof findCheckoutTerms>>>;
type Params = { productId?: string; slug?: string };

const NOT_APPROVED = "Pagamento não foi aprovado. Tente novamente.";
const CONFIRM_MAIL = "Confira o seu e-mail: é para lá que vai o acesso.";

const cached = pageCache<KeptPage>();

/** The checkout: the same page for everyone, kept ready; a form that comes back, filled or with errors, is drawn for its sender. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request, params }) => {
    const query = new URL(request.url).searchParams;
    const values = prefilled(query);
    // Whoever comes back gets a page of their own, also where their browser carries nothing: it shares no address.
    if (values || query.has(RETRY)) {
      const checkout = await find(params);
      const typed = query.has(RETRY) ? await recallOrder(request, checkout.product.id) : null;
      const form = { ...untouched(checkout), ...refilled(values, typed) };
      if (query.get(RETRY) === FAILED) form.alert = NOT_APPROVED;
      return respond(render(checkout, form));
    }
    const key = params.slug ? `s:${params.slug.toLowerCase()}` : `id:${params.productId}`;
    const page = await cached(key, async () => {
      const checkout = await find(params);
      const tags = [String(checkout.product.id), `seller:${checkout.product.sellerId}`];
      return { tags, page: keepPage(render(checkout, untouched(checkout))) };
    });
    return sendKept(page!, request);
  });
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request, params }) => {
    const data = await formOf(request);
    const text = (name: string) => String(data.get(name) ?? "");
    const { fields, likely } = settleMail(data, readFields(data));
    const seenPrices = text("seen_prices");
    const seenGuarantee = readSeenDays(text("seen_guarantee"));
    if (likely) return askAboutMail(params, fields, likely, text("ad_consent") === "1");
    // Told also where no PIX could be made: the next try is the same sale.
    const cookies: [string, string][] = [];
    try {
      const placed = await placeOrder({
        product: productRef(params),
        fields,
        campaign: new URL(request.url).searchParams,
        ip: clientIp(request),
        ads: adVisitOf(request, text("ad_consent") === "1"),
        device: deviceOf(request.headers.get("user-agent")),
        seenAt: readSeenAt(text("seen_for")),
        seenPrices,
        seenGuarantee,
        timerEndsAt: Number(text("offer_expires_at")),
        again: text("again") === "1",
        placer: await placerOf(request, text("own_name")),
      });
      cookies.push(["Set-Cookie", await rememberSale(request, placed.saleId)]);
      if (placed.refusal) throw placed.refusal;
      cookies.push(...Object.entries(await rememberOrder(placed.productId, fields)));
      return redirect(paths.pix(placed.saleId), { status: 303, headers: cookies });
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === "not-found") throw error;
      const failure = toFailure(error, request);
      // What was refused may have changed since the form came: it is shown as it is now.
      const checkout = await find(params);
      const page = render(checkout, {
        ...answered(checkout, fields, { seenPrices, seenGuarantee }, error),
        adConsent: text("ad_consent") === "1",
      });
      const headers = Object.fromEntries([...Object.entries(retryHeaders(failure)), ...cookies]);
      return respond(page, { status: failure.status, headers });
    }
  });
}

/**
 * Asked once, before anything is placed, with all else that is wrong: the script asks by itself, and says so.
 */
async function askAboutMail(
  params: Params,
  fields: OrderFields,
  likelyMail: string,
  adConsent: boolean,
): Promise<Response> {
  const { order_bumps, ...values } = fields;
  const checkout = await find(params);
  const form = {
    ...EMPTY_FORM,
    errors: orderMistakes(fields, askedFields(checkout.settings)),
    values,
    bumpIds: order_bumps.map(Number),
    posted: true,
    likelyMail,
    adConsent,
  };
  return respond(render(checkout, { ...form, alert: CONFIRM_MAIL }), { status: 400 });
}

async function find(params: Params): Promise<Checkout> {
  const ref = productRef(params);
  const checkout = ref && (await findCheckoutTerms(ref));
  if (!checkout) throw productGone();
  return checkout;
}

/** The form as it is first shown: where nobody can be paid it says so, and still takes the order. */
function untouched({ limits }: Checkout): CheckoutForm {
  return limits ? EMPTY_FORM : { ...EMPTY_FORM, alert: CANNOT_PAY };
}

function render(checkout: Checkout, form: CheckoutForm) {
  const { product, contact } = checkout;
  const { headerHtml, footerHtml, css, scheme } = dressCheckout(checkout);
  const view = { ...checkout, contact, headerHtml, footerHtml, form };
  return renderPage(
    LOOK,
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
