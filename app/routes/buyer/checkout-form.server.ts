import type { OrderFields } from "#app/domain/order/order-form.server.ts";
import { describeShorterGuarantee, OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { describePriceIncrease } from "#app/domain/order/refuse-price-increase.ts";
import type { Checkout } from "#app/domain/storefront/find-checkout.server.ts";
import { cleanMail } from "#app/kit/buyer-fields.ts";
import { likelyAddress } from "#app/kit/mail-domain.ts";
import type { Refusal } from "#app/kit/refusal.ts";
import { type CheckoutForm, EMPTY_FORM } from "#app/ui/buyer/checkout-view.ts";

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

/**
 * The fields that the URL fills in: `name`, `email`, `phone`, `document`; null if it has none, so that the page can be
 * cached.
 */
export function prefilled(query: URLSearchParams): Record<string, string> | null {
  const found = ["name", "email", "phone", "document"].flatMap((name) => {
    const value = query.get(name)?.slice(0, 200);
    return value ? [[`customer_${name}`, value]] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : null;
}

/** The form as its buyer left it, over the fields from the URL. */
export function refilled(
  address: Record<string, string> | null,
  typed: OrderFields | null,
): Pick<CheckoutForm, "values" | "bumpIds"> {
  const { order_bumps = [], ...fields } = typed ?? {};
  return { values: { ...address, ...fields }, bumpIds: order_bumps.map(Number) };
}

/** The form as submitted, with its errors and whatever the page shows differently now. */
export function answered(
  { product, settings }: Pick<Checkout, "product" | "settings">,
  fields: OrderFields,
  { seenPrices, seenGuarantee }: { seenPrices: string; seenGuarantee: number | null },
  refusal: Refusal,
): CheckoutForm {
  const bumpIds = fields.order_bumps.map(Number);
  const { rule, errors } = refusal instanceof OrderRefusal ? refusal : { rule: null, errors: {} };
  const owned = rule === "already-bought";
  const message = owned || rule === "fields" ? null : refusal.message;
  // The reason of the refusal may be one of these itself.
  const raised = describePriceIncrease(seenPrices, product, bumpIds);
  const alerts = new Set([message, raised, describeShorterGuarantee(seenGuarantee, settings.guarantee_days)]);
  const alert = [...alerts].filter(Boolean).join(" ") || null;
  return { ...EMPTY_FORM, values: fields, bumpIds, posted: true, errors, owned, alert };
}
