import type { Customer, OrderFields, SentFields } from "#app/domain/order/order.ts";
import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { CLICK_ID } from "#app/kit/ads/click-ids.ts";
import { type BuyerField, cleanMail, findFault } from "#app/kit/buyer-fields.ts";
import { cleanLine, truncate } from "#app/kit/clean-text.ts";
import { cleanDocument } from "#app/kit/documents.ts";
import { DAY } from "#app/kit/duration.ts";
import { parsePhone } from "#app/kit/phone.ts";

/** Which fields a seller requires. */
export type RequiredFields = {
  name: boolean;
  email: boolean;
  emailConfirmation: boolean;
  phone: boolean;
  document: boolean;
};

/** Messages by field, in the order the form shows them. */
type OrderErrors = Partial<Record<keyof OrderFields, string>>;

const MAX_LENGTH = 500;

/** Query parameters that say where a buyer came from, as ads and UTMify name them. */
const CAMPAIGN_PARAMETER = /^(utm_(source|medium|campaign|term|content|id)|src|sck|xcod|sub_?id\d?|sid2)$/;

/** Validates a buyer's form without ordering. @returns messages by field */
export function validateOrder(fields: SentFields, required: RequiredFields): OrderErrors {
  const read = readOrder(fields, required);
  return read.ok ? {} : read.errors;
}

/**
 * Validates a buyer's form and reports every mistake at once. Optional fields are stored
 * where filled, and must be valid too.
 * @returns either the checked customer and bump ids, or messages by field
 */
export function readOrder(
  fields: SentFields,
  required: RequiredFields,
): { ok: true; customer: Customer; bumpIds: number[] } | { ok: false; errors: OrderErrors } {
  const errors: OrderErrors = {};
  const name = cleanLine(fields.customer_name).replace(/\s+/g, " ").trim();
  const email = cleanMail(fields.customer_email);
  const confirmation = fields.customer_email_confirmation;
  const check = (field: BuyerField & keyof OrderFields, typed: string, isRequired: boolean) => {
    const fault = findFault(field, typed, isRequired, email);
    if (fault) errors[field] = fault;
  };
  check("customer_name", name, required.name);
  check("customer_email", email, required.email);
  if (
    required.email &&
    required.emailConfirmation &&
    confirmation !== null &&
    (confirmation !== "" || email !== "")
  )
    check("customer_email_confirmation", confirmation, true);
  check("customer_document", fields.customer_document, required.document);
  check("customer_phone", fields.customer_phone, required.phone);
  const phone = parsePhone(fields.customer_phone);
  const document = cleanDocument(fields.customer_document);
  const bumpIds = fields.order_bumps.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0);
  if (bumpIds.length !== fields.order_bumps.length) errors.order_bumps = "Oferta inválida";
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  const customer = { name: name || null, email: email || null, phone, document: document || null };
  return { ok: true, customer, bumpIds };
}

/** Longer times are not plausible. */
const MAX_VIEW_TIME = 7 * DAY;

/**
 * When a buyer's tab first showed the checkout, from how long ago that was by its script (ms); null where it sent no
 * valid time.
 */
export function readSeenAt(seenFor: string, now = Date.now()): Date | null {
  return /^\d{1,9}$/.test(seenFor) && Number(seenFor) <= MAX_VIEW_TIME
    ? new Date(now - Number(seenFor))
    : null;
}

/**
 * When the seller's timer ends that a page shows (Unix ms), from how long it still runs by its script (ms); null where it sent no
 * valid time.
 */
export function readTimerEnd(endsIn: string, now = Date.now()): number | null {
  return /^-?\d{1,9}$/.test(endsIn) ? now + Number(endsIn) : null;
}

/** The guarantee that a page showed, in days, from its form; null where it showed none. */
export function readSeenDays(seen: string): number | null {
  return /^\d{1,4}$/.test(seen) ? Number(seen) : null;
}

/** The discount for a PIX that the page showed, in percent; 0 where it showed none. */
export function readSeenPercent(seen: string): number {
  return /^\d{1,2}$/.test(seen) ? Number(seen) : 0;
}

/**
 * The campaign parameters of a checkout address: decoded, at most 500 characters each, without empty ones. Longer
 * click ids are dropped, since a truncated one is useless.
 */
export function readCampaign(query: Iterable<[string, string]>): Record<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of query) {
    const isWhole = CLICK_ID.test(name) && value.length <= MAX_LENGTH;
    const text = truncate(cleanLine(value), MAX_LENGTH);
    if ((CAMPAIGN_PARAMETER.test(name) || isWhole) && text !== "" && !found.has(name)) found.set(name, text);
  }
  return Object.fromEntries(found);
}

/** The required fields of a checkout with these settings. */
export function getRequiredFields(settings: CheckoutSettings): RequiredFields {
  return {
    name: settings.require_name,
    email: settings.require_email,
    emailConfirmation: settings.require_email_confirmation,
    phone: settings.require_phone,
    document: settings.require_document,
  };
}
