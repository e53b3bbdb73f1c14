import type { CheckoutTerms } from "#app/domain/checkout/payment-terms.server.ts";
import type { PlacedOrder } from "#app/domain/checkout/place-order.server.ts";
import type { OrderFields } from "#app/domain/order/order-form.server.ts";
import {
  describePriceIncrease,
  describeShorterGuarantee,
  NOTHING_CHARGED,
  OrderRefusal,
} from "#app/domain/order/order-refusal.ts";
import { shownQuantity } from "#app/domain/pricing/offer.ts";
import { cleanMail } from "#app/kit/buyer-fields.ts";
import { likelyAddress } from "#app/kit/mail-domain.ts";
import { paths, QUANTITY_PARAMETER } from "#app/kit/paths.ts";
import type { Refusal } from "#app/kit/refusal.ts";
import type { Typed } from "#app/server/session/order-cookie.server.ts";
import { type CheckoutForm, EMPTY_FORM } from "#app/ui/buyer/checkout/checkout-view.ts";

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

/**
 * The form with the buyer's answer about an e-mail that looked mistyped.
 * @returns `likely`: the correction still to suggest, null if there is none
 */
export function settleMail(
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

/** The query parameters that fill in a field; the Portuguese names are those of links that sellers write. */
const PREFILLING = {
  customer_name: ["name", "nome"],
  customer_email: ["email"],
  customer_phone: ["phone", "tel"],
};
/** Those with a CPF or CNPJ, which must not stay in an address. */
const DOCUMENT_PARAMETERS = ["document", "cpf"];

const firstOf = (query: URLSearchParams, names: string[]) =>
  names
    .map((name) => query.get(name))
    .find(Boolean)
    ?.slice(0, 200);

/** What the URL fills in; null if nothing, so that the page can be cached. `bump` is an order bump's id, or several. */
export function prefilled(
  query: URLSearchParams,
): { values: Record<string, string>; bumpIds: number[]; quantity: string } | null {
  const values = Object.fromEntries(
    Object.entries(PREFILLING).flatMap(([field, names]) => {
      const value = firstOf(query, names);
      return value ? [[field, value]] : [];
    }),
  );
  const bumpIds = query
    .getAll("bump")
    .flatMap((ids) => ids.split(",").slice(0, 100))
    .map(Number)
    .filter(Number.isSafeInteger);
  const quantity = query.get(QUANTITY_PARAMETER)?.slice(0, 10) ?? "";
  const isFilled = Object.keys(values).length > 0 || bumpIds.length > 0 || quantity !== "";
  return isFilled ? { values, bumpIds, quantity } : null;
}

/** The document in a URL, and the query without it; null if it has none. */
export function takeDocument(query: URLSearchParams): { document: string; without: URLSearchParams } | null {
  const without = new URLSearchParams(query);
  for (const name of DOCUMENT_PARAMETERS) without.delete(name);
  if (without.size === query.size) return null;
  return { document: firstOf(query, DOCUMENT_PARAMETERS) ?? "", without };
}

/** The form as its buyer left it, over what the URL fills in. */
export function refilled(
  address: ReturnType<typeof prefilled>,
  typed: Typed | null,
): Pick<CheckoutForm, "values" | "bumpIds" | "quantity" | "isCard"> {
  const { order_bumps, coupon: _, quantity = "", payment_method, ...fields } = typed ?? {};
  const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
  // None is an answer, too: the buyer unticked what the address had ticked.
  const bumpIds = order_bumps?.map(Number) ?? address?.bumpIds ?? [];
  return {
    values: { ...address?.values, ...filled },
    bumpIds,
    quantity: quantity || (address?.quantity ?? ""),
    isCard: payment_method === "card",
  };
}

/** The form as it was sent. */
export function sentForm(fields: OrderFields, adConsent: boolean): CheckoutForm {
  const { order_bumps, coupon: _, quantity = "", payment_method, ...values } = fields;
  const isCard = payment_method === "card";
  return {
    ...EMPTY_FORM,
    values,
    bumpIds: order_bumps.map(Number),
    quantity,
    isCard,
    posted: true,
    adConsent,
  };
}

/** The form as submitted, with its errors and whatever the page shows differently now. */
export function answered(
  { product, settings, pixPercent }: Pick<CheckoutTerms, "product" | "settings" | "pixPercent">,
  fields: OrderFields,
  seen: { seenPrices: string; seenPixPercent: number; seenGuarantee: number | null },
  refusal: Refusal,
): CheckoutForm {
  const bumpIds = fields.order_bumps.map(Number);
  const { rule, errors } = refusal instanceof OrderRefusal ? refusal : { rule: null, errors: {} };
  const isOwnedAlready = rule === "already-bought";
  const isAtCoupon = refusal.field === "coupon";
  const message = isOwnedAlready || isAtCoupon || rule === "fields" ? null : refusal.message;
  // The reason of the refusal may be one of these itself.
  const quantity = shownQuantity(fields.quantity ?? "", product.offer);
  const isCard = fields.payment_method === "card";
  const seenPrices = { prices: seen.seenPrices, pixPercent: isCard ? 0 : seen.seenPixPercent };
  const raised = describePriceIncrease(seenPrices, product, bumpIds, { quantity, pixPercent, isCard });
  const shorter = describeShorterGuarantee(seen.seenGuarantee, settings.guarantee_days);
  // The last sentence that follows says it.
  const reason = raised || shorter ? message?.replace(` ${NOTHING_CHARGED}.`, "") : message;
  const alerts = new Set([message === raised || message === shorter ? null : reason, raised, shorter]);
  const alert = [...alerts].filter(Boolean).join(" ") || null;
  const { order_bumps: _, coupon: __, quantity: typedQuantity = "", payment_method: ___, ...values } = fields;
  const shownErrors = isAtCoupon ? { ...errors, coupon: refusal.message } : errors;
  return {
    ...EMPTY_FORM,
    values,
    bumpIds,
    quantity: typedQuantity,
    isCard,
    posted: true,
    errors: shownErrors,
    isOwnedAlready,
    alert,
  };
}

/** The address of the page that follows an order. */
export function nextPage({ saleId, next }: Pick<PlacedOrder, "saleId" | "next">): string {
  const pages = { pix: paths.pix, card: paths.card, "thank-you": paths.thankYou };
  return pages[next](saleId);
}
