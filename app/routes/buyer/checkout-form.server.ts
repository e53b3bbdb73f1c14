import { type CheckoutParams, readProductRef } from "#app/domain/catalog/find-for-sale.server.ts";
import type { CheckoutTerms } from "#app/domain/checkout/find-checkout-terms.server.ts";
import type { CouponCodes } from "#app/domain/coupon/choose-coupon.server.ts";
import type { CheckoutOrder, OrderFields } from "#app/domain/order/order.ts";
import {
  readSeenAt,
  readSeenDays,
  readSeenPercent,
  readTimerEnd,
} from "#app/domain/order/order-form.server.ts";
import {
  describePriceIncrease,
  describeShorterGuarantee,
  heldBy,
  OrderRefusal,
  sayBefore,
} from "#app/domain/order/order-refusal.ts";
import { shownQuantity } from "#app/domain/pricing/offer.ts";
import { cleanMail } from "#app/kit/buyer-fields.ts";
import { detectDevice } from "#app/kit/device.ts";
import { likelyAddress } from "#app/kit/mail-domain.ts";
import { COUPON_PARAMETER } from "#app/kit/paths.ts";
import type { Refusal } from "#app/kit/refusal.ts";
import type { Prefill } from "#app/routes/buyer/prefill.server.ts";
import { clientIp } from "#app/server/request/client.server.ts";
import { readAdVisit, readBuyerContext } from "#app/server/session/buyer-context.server.ts";
import type { Typed } from "#app/server/session/order-cookie.server.ts";
import { type CheckoutForm, EMPTY_FORM } from "#app/ui/buyer/checkout/checkout-view.ts";

/** A checkout's form as it was posted, with the codes of its coupon field and its address. `isRepurchase`: see `CheckoutOrder`. */
export type PostedForm = {
  fields: OrderFields;
  codes: CouponCodes;
  isRepurchase: boolean;
} & PostedConsent;

/** The answer about advertisers, and the kinds that the page named; omitted where it named none. */
type PostedConsent = { adConsent: boolean; namedKinds?: string[] };

export function readCheckoutForm(data: FormData, query: URLSearchParams): PostedForm {
  const fields = readFields(data);
  const codes = { typed: fields.coupon ?? null, linked: query.get(COUPON_PARAMETER) };
  return { fields, codes, ...readConsent(data), isRepurchase: data.get("again") === "1" };
}

/** The checkbox's value is the kinds that it named. It was `1` in earlier versions, whose pages may still be open. */
function readConsent(data: FormData): PostedConsent {
  const value = String(data.get("ad_consent") ?? "");
  if (value === "") return { adConsent: false };
  return value === "1" ? { adConsent: true } : { adConsent: true, namedKinds: value.split(",", 20) };
}

/** The posted fields as text; missing ones are empty. */
export function readFields(data: FormData): OrderFields {
  const text = (name: string) => String(data.get(name) ?? "").slice(0, 1000);
  return {
    customer_name: text("customer_name"),
    customer_email: text("customer_email"),
    customer_email_confirmation: text("customer_email_confirmation"),
    customer_phone: text("customer_phone"),
    customer_document: text("customer_document"),
    order_bumps: data.getAll("order_bumps").map(String).slice(0, 100),
    payment_method: data.get("payment_method") === "card" ? "card" : undefined,
    quantity: data.has("quantity") ? text("quantity") : undefined,
    coupon: data.has("coupon") ? text("coupon") : undefined,
  };
}

/** What the buyer saw on the page. An order may cost no more, and has no shorter guarantee. */
export type SeenTerms = Required<
  Pick<CheckoutOrder, "seenOfferId" | "seenPrices" | "seenPixPercent" | "seenGuaranteeDays">
>;

export function readSeenTerms(data: FormData): SeenTerms {
  const text = (name: string) => String(data.get(name) ?? "");
  return {
    seenOfferId: text("seen_offer") || null,
    seenPrices: text("seen_prices"),
    seenPixPercent: readSeenPercent(text("seen_pix_discount")),
    seenGuaranteeDays: readSeenDays(text("seen_guarantee")),
  };
}

/** The order of a posted form. */
export async function toCheckoutOrder(
  request: Request,
  params: CheckoutParams,
  data: FormData,
  { fields, codes, adConsent, namedKinds, isRepurchase }: PostedForm,
  seen: SeenTerms,
): Promise<CheckoutOrder> {
  const text = (name: string) => String(data.get(name) ?? "");
  return {
    ...{ product: readProductRef(params), fields, coupons: codes, ...seen },
    campaign: new URL(request.url).searchParams,
    ip: clientIp(request),
    ads: readAdVisit(request, adConsent, namedKinds),
    device: detectDevice(request.headers.get("user-agent")),
    seenAt: readSeenAt(text("seen_for")),
    timerEndsAt: readTimerEnd(text("offer_ends_in")) ?? Number(text("offer_expires_at")),
    isRepurchase,
    isCard: fields.payment_method === "card",
    buyerContext: await readBuyerContext(request, text("own_name")),
  };
}

/**
 * The fields with the buyer's answer about an e-mail that looked mistyped.
 * @returns `likely`: the correction still to suggest, null if there is none
 */
export function applyMailChoice(
  data: FormData,
  fields: OrderFields,
): { fields: OrderFields; likely: string | null } {
  const email = cleanMail(fields.customer_email);
  const likely = likelyAddress(email);
  if (!likely) return { fields, likely: null };
  if (cleanMail(String(data.get("mail_asked") ?? "")) !== email) return { fields, likely };
  if (data.get("mail_choice") !== "likely") return { fields, likely: null };
  const again = fields.customer_email_confirmation;
  const customer_email_confirmation = cleanMail(again) === email ? likely : again;
  return { fields: { ...fields, customer_email: likely, customer_email_confirmation }, likely: null };
}

/** The form as its buyer left it, over what the URL fills in. */
export function restoreForm(
  prefill: Prefill | null,
  typed: Typed | null,
): Pick<CheckoutForm, "values" | "bumpIds" | "quantity" | "isCard"> {
  const { order_bumps, coupon: _, quantity = "", payment_method, ...fields } = typed ?? {};
  const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
  // None is an answer, too: the buyer unticked what the address had ticked.
  const bumpIds = order_bumps?.map(Number) ?? prefill?.bumpIds ?? [];
  return {
    values: { ...prefill?.values, ...filled },
    bumpIds,
    quantity: quantity || (prefill?.quantity ?? ""),
    isCard: payment_method === "card",
  };
}

/** The form as it was posted. */
export function repeatForm({ fields, adConsent, namedKinds, isRepurchase }: PostedForm): CheckoutForm {
  const { order_bumps, coupon: _, quantity = "", payment_method, ...values } = fields;
  return {
    ...EMPTY_FORM,
    values,
    bumpIds: order_bumps.map(Number),
    quantity,
    isCard: payment_method === "card",
    posted: true,
    adConsent,
    namedKinds,
    isRepurchase,
  };
}

/** The form as it was posted, with its errors and whatever the page shows differently now. */
export function refusedForm(
  { product, settings, pixPercent }: Pick<CheckoutTerms, "product" | "settings" | "pixPercent">,
  posted: PostedForm,
  seen: SeenTerms,
  refusal: Refusal,
): CheckoutForm {
  const form = repeatForm(posted);
  const { bumpIds, isCard } = form;
  const { rule, errors } = refusal instanceof OrderRefusal ? refusal : { rule: null, errors: {} };
  const isBought = rule === "already-bought";
  // Else no link to the purchase can be mailed to the address in the form.
  const isOwnedAlready = isBought && !refusal.field;
  const isAtCoupon = refusal.field === "coupon";
  const message = isOwnedAlready || isAtCoupon || rule === "fields" ? null : refusal.message;
  // The reason of the refusal may be one of these itself.
  const quantity = shownQuantity(form.quantity, product.offer);
  const seenPrices = { prices: seen.seenPrices, pixPercent: isCard ? 0 : seen.seenPixPercent };
  const raised = describePriceIncrease(seenPrices, product, bumpIds, { quantity, pixPercent, isCard });
  const shorter = describeShorterGuarantee(seen.seenGuaranteeDays, settings.guarantee_days);
  const texts = [...new Set([message, raised, shorter])].filter((text) => text !== null);
  return {
    ...form,
    errors: isAtCoupon ? { ...errors, coupon: refusal.message } : errors,
    isOwnedAlready,
    isRepurchase: form.isRepurchase || isBought,
    alert: texts.map((text, at) => sayBefore(text, texts.slice(at + 1))).join(" ") || null,
    heldBySaleId: heldBy(refusal),
  };
}
