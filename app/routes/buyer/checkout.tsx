import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import type { CheckoutParams } from "#app/domain/catalog/find-for-sale.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { NO_COUPON, normalizeCouponCode } from "#app/domain/coupon/choose-coupon.server.ts";
import type { PlacedOrder } from "#app/domain/order/order.ts";
import { getRequiredFields, validateOrder } from "#app/domain/order/order-form.server.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { discountPrices } from "#app/domain/pricing/quote.ts";
import {
  COUPON_PARAMETER,
  LINK_TOKEN_PARAMETER,
  paths,
  RETRY_AFTER_FAILURE,
  RETRY_PARAMETER,
} from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { carryCampaign } from "#app/routes/buyer/carry-campaign.server.ts";
import {
  couponStaleAt,
  findAllowedCoupon,
  findPageCoupon,
  findRefusedCoupon,
} from "#app/routes/buyer/checkout-coupon.server.ts";
import {
  applyMailChoice,
  type PostedForm,
  readCheckoutForm,
  readSeenTerms,
  refusedForm,
  repeatForm,
  restoreForm,
  type SeenTerms,
  toCheckoutOrder,
} from "#app/routes/buyer/checkout-form.server.ts";
import { isSaidByOrderPage } from "#app/routes/buyer/is-said-by-order-page.server.ts";
import { movePersonalData } from "#app/routes/buyer/move-personal-data.server.ts";
import { readPrefill } from "#app/routes/buyer/prefill.server.ts";
import {
  firstForm,
  loadCheckout,
  renderCheckout,
  toCachedPage,
} from "#app/routes/buyer/render-checkout.server.tsx";
import { parseFormData } from "#app/server/forms/forms.server.ts";
import { limitCouponGuesses } from "#app/server/limits/limit-coupon-guesses.server.ts";
import { buyerPage, pageResponse } from "#app/server/pages/buyer-page.server.tsx";
import { type CachedPage, sendCachedPage } from "#app/server/pages/cached-page.server.ts";
import { pageCache } from "#app/server/pages/page-cache.server.ts";
import { retryHeaders, toFailure } from "#app/server/response/failure.server.ts";
import { recallOrder, rememberOrder } from "#app/server/session/order-cookie.server.ts";
import { rememberSale } from "#app/server/session/sales-cookie.server.ts";
import { APPLY_COUPON } from "#app/ui/buyer/checkout/coupon-field.tsx";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";

const NOT_APPROVED =
  "Pagamento não foi aprovado. Tente novamente. Se você já pagou, não pague de novo: o pagamento será reconhecido.";
const CONFIRM_MAIL = "Confira o seu e-mail: é para lá que vai o acesso.";

const cached = pageCache<CachedPage>();
/** Pages of links with a coupon, or with a token, apart: many of them push no other page out. */
const cachedLinks = pageCache<CachedPage>();

/**
 * The checkout: the same page for everyone, cached; a form that is returned, filled or with errors, is rendered for its
 * sender.
 */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const query = new URL(request.url).searchParams;
    const moved =
      (await movePersonalData(request, params, query)) ?? (await carryCampaign(request, params, query));
    if (moved) return moved;
    // A seller's link whose data cannot be read any more: it has expired, was changed, or is for another product.
    const isLinkInvalid = query.has(LINK_TOKEN_PARAMETER);
    const prefill = readPrefill(query);
    const linked = query.get(COUPON_PARAMETER);
    // A returning buyer gets an uncached page, also without cookies: the query parameter makes its URL different.
    if (prefill || query.has(RETRY_PARAMETER)) {
      const checkout = await loadCheckout(params);
      const typed = query.has(RETRY_PARAMETER) ? await recallOrder(request, checkout.product.id) : null;
      const filled = restoreForm(prefill, typed);
      const codes = { typed: typed?.coupon ?? null, linked };
      const choice = await findAllowedCoupon(request, checkout.product, codes, filled.quantity);
      const form = { ...firstForm(checkout, isLinkInvalid, choice), ...filled };
      if (query.get(RETRY_PARAMETER) === RETRY_AFTER_FAILURE) form.alert = NOT_APPROVED;
      return pageResponse(await renderCheckout(checkout, form, choice, codes));
    }
    const address = params.slug ? `s:${params.slug.toLowerCase()}` : `id:${params.productId}`;
    const key = isLinkInvalid ? `${address} invalid` : address;
    if (linked) {
      const couponKey = `${key} ${normalizeCouponCode(linked)}`;
      const page = await loadWithCoupon(request, params, couponKey, linked, isLinkInvalid);
      if (page) return page;
    }
    const page = await (isLinkInvalid ? cachedLinks : cached)(key, async () => {
      const checkout = await loadCheckout(params);
      return toCachedPage(checkout, await renderCheckout(checkout, firstForm(checkout, isLinkInvalid)));
    });
    return sendCachedPage(page!, request);
  });
}

/**
 * The page of a link with a coupon; the reason why it is not valid is shown uncached. Null where the client may not learn
 * of it.
 */
async function loadWithCoupon(
  request: Request,
  params: CheckoutParams,
  key: string,
  linked: string,
  isLinkInvalid: boolean,
): Promise<Response | null> {
  const codes = { typed: null, linked };
  const judge = async () => {
    const checkout = await loadCheckout(params);
    const choice = await findAllowedCoupon(request, checkout.product, codes);
    return {
      checkout,
      choice,
      page: await renderCheckout(checkout, firstForm(checkout, isLinkInvalid, choice), choice, codes),
    };
  };
  let own = null as Awaited<ReturnType<typeof judge>> | null;
  const shared = await cachedLinks(key, async () => {
    own = await judge();
    return own.choice.coupon ? toCachedPage(own.checkout, own.page, couponStaleAt(own.choice)) : null;
  });
  if (shared) return sendCachedPage(shared, request);
  // Concurrent requests share one rendering: a coupon refused to another client is judged anew for this one.
  const { choice, page } = own ?? (await judge());
  return choice.coupon || choice.problem ? pageResponse(page) : null;
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const data = await parseFormData(request);
    const posted = readCheckoutForm(data, new URL(request.url).searchParams);
    const seen = readSeenTerms(data);
    if (data.get("intent") === APPLY_COUPON) return applyCoupon(request, params, posted, seen);
    const { fields, likely } = applyMailChoice(data, posted.fields);
    const confirmed = { ...posted, fields };
    return likely
      ? renderMailQuestion(request, params, confirmed, { seen, likelyMail: likely })
      : handleOrder(request, params, data, { posted: confirmed, seen });
  });
}

/** Places the order and leads to the page that follows; the form of a refused one is shown again. */
async function handleOrder(
  request: Request,
  params: CheckoutParams,
  data: FormData,
  { posted, seen }: { posted: PostedForm; seen: SeenTerms },
): Promise<Response> {
  // Set also if no PIX could be created: the next attempt belongs to the same sale.
  const cookies: [string, string][] = [];
  try {
    const order = await toCheckoutOrder(request, params, data, posted, seen);
    const placed = await limitCouponGuesses(request, posted.codes, () => placeOrder(order));
    for (const line of await rememberSale(request, placed.saleId)) cookies.push(["Set-Cookie", line]);
    if (placed.refusal && !(await isSaidByOrderPage(placed))) throw placed.refusal;
    cookies.push(...Object.entries(await rememberOrder(placed.productId, posted.fields, placed.saleId)));
    return redirect(nextPage(placed), { status: 303, headers: cookies });
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === "not-found") throw error;
    const answer = await renderRefusal(request, params, posted, seen, error);
    for (const [name, line] of cookies) answer.headers.append(name, line);
    return answer;
  }
}

/** What was refused may have changed since the form was sent: it is shown as it is now. */
async function renderRefusal(
  request: Request,
  params: CheckoutParams,
  posted: PostedForm,
  seen: SeenTerms,
  refusal: Refusal,
): Promise<Response> {
  const { codes, fields } = posted;
  const failure = toFailure(refusal, request);
  const checkout = await loadCheckout(params, seen).catch((error: unknown) => {
    // The offer of the address is over as well: what the order itself was told comes first.
    throw error instanceof OrderRefusal ? refusal : error;
  });
  const choice = await findRefusedCoupon(request, checkout.product, codes, refusal, fields.quantity);
  const product = discountPrices(checkout.product, choice.coupon);
  const form = refusedForm({ ...checkout, product }, posted, seen, refusal);
  const page = await renderCheckout(checkout, form, choice, codes);
  return pageResponse(page, { status: failure.status, headers: retryHeaders(failure) });
}

/** The form as it was sent, with its coupon's prices; nothing is ordered. */
async function applyCoupon(
  request: Request,
  params: CheckoutParams,
  posted: PostedForm,
  seen: SeenTerms,
): Promise<Response> {
  const { codes } = posted;
  const checkout = await loadCheckout(params, seen);
  const form = repeatForm(posted);
  try {
    const choice = await findPageCoupon(request, checkout.product, codes, form.quantity);
    const page = await renderCheckout(checkout, form, choice, codes);
    return pageResponse(page, { status: choice.problem ? 409 : 200 });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const failure = toFailure(error, request);
    const page = await renderCheckout(checkout, { ...form, alert: error.message }, NO_COUPON, codes);
    return pageResponse(page, { status: failure.status, headers: retryHeaders(failure) });
  }
}

/**
 * Suggests a correction once, before the order is placed, together with all other errors: the script suggests it by itself
 * and marks the form so.
 */
async function renderMailQuestion(
  request: Request,
  params: CheckoutParams,
  posted: PostedForm,
  { seen, likelyMail }: { seen: SeenTerms; likelyMail: string },
): Promise<Response> {
  const { fields, codes } = posted;
  const checkout = await loadCheckout(params, seen);
  const choice = await findAllowedCoupon(request, checkout.product, codes, fields.quantity);
  const errors = validateOrder(fields, getRequiredFields(checkout.settings));
  const form = { ...repeatForm(posted), errors, likelyMail, alert: CONFIRM_MAIL };
  const page = await renderCheckout(checkout, form, choice, codes);
  return pageResponse(page, { status: 400 });
}

/** The address of the page that follows an order. */
function nextPage({ saleId, next }: Pick<PlacedOrder, "saleId" | "next">): string {
  const pages = { pix: paths.pix, card: paths.card, "thank-you": paths.thankYou };
  return pages[next](saleId);
}
