import type { OrderFields } from "#app/domain/order/order-form.server.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { tellRaised } from "#app/domain/order/refuse-raised.ts";
import { tellShortened } from "#app/domain/order/refuse-shortened.ts";
import type { Checkout } from "#app/domain/storefront/find-checkout.server.ts";
import { cleanMail } from "#app/kit/buyer-fields.ts";
import { likelyMail } from "#app/kit/mail-domain.ts";
import type { Refusal } from "#app/kit/refusal.ts";
import { type CheckoutForm, EMPTY_FORM } from "#app/ui/buyer/checkout-view.ts";

/** What was posted, as text; what is missing is empty. */
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
 * The form with the buyer's answer about an address that looked mistyped.
 * @returns `likely`: what they are still to be asked about, null where nothing
 */
export function settleMail(
  data: FormData,
  fields: OrderFields,
): { fields: OrderFields; likely: string | null } {
  const email = cleanMail(fields.customer_email);
  const likely = likelyMail(email);
  if (!likely) return { fields, likely: null };
  if (cleanMail(String(data.get("mail_asked") ?? "")) !== email) return { fields, likely };
  if (data.get("mail_choice") !== "likely") return { fields, likely: null };
  const again = fields.customer_email_confirmation;
  const customer_email_confirmation = cleanMail(again) === email ? likely : again;
  return { fields: { ...fields, customer_email: likely, customer_email_confirmation }, likely: null };
}

/** What the address fills in: `name`, `email`, `phone`, `document`; null where it names none, so that the page can be shared. */
export function prefilled(query: URLSearchParams): Record<string, string> | null {
  const found = ["name", "email", "phone", "document"].flatMap((name) => {
    const value = query.get(name)?.slice(0, 200);
    return value ? [[`customer_${name}`, value]] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : null;
}

/** The form as its buyer left it, over what the address fills in. */
export function refilled(
  address: Record<string, string> | null,
  typed: OrderFields | null,
): Pick<CheckoutForm, "values" | "bumpIds"> {
  const { order_bumps = [], ...fields } = typed ?? {};
  return { values: { ...address, ...fields }, bumpIds: order_bumps.map(Number) };
}

/** The form as its buyer sent it, with what was said to it and what the page shows otherwise now. */
export function answered(
  { product, settings }: Pick<Checkout, "product" | "settings">,
  fields: OrderFields,
  { seenPrices, seenGuarantee }: { seenPrices: string; seenGuarantee: number | null },
  refusal: Refusal,
): CheckoutForm {
  const bumpIds = fields.order_bumps.map(Number);
  const { rule, errors } = refusal instanceof OrderRefusal ? refusal : { rule: null, errors: {} };
  const owned = rule === "already-bought";
  const said = owned || rule === "fields" ? null : refusal.message;
  // What was refused may be one of these itself.
  const raised = tellRaised(seenPrices, product, bumpIds);
  const alerts = new Set([said, raised, tellShortened(seenGuarantee, settings.guarantee_days)]);
  const alert = [...alerts].filter(Boolean).join(" ") || null;
  return { ...EMPTY_FORM, values: fields, bumpIds, posted: true, errors, owned, alert };
}
