import type { Customer } from "#app/domain/order/order-key.server.ts";
import { CLICK_ID } from "#app/kit/ads/click-ids.ts";
import { type BuyerField, cleanMail, faultOf } from "#app/kit/buyer-fields.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { cleanDocument } from "#app/kit/documents.ts";
import { DAY } from "#app/kit/duration.ts";
import { parsePhone } from "#app/kit/phone.ts";

/** Which fields a seller asks for; what is asked for is required. */
export type AskedFields = {
  name: boolean;
  email: boolean;
  emailConfirmation: boolean;
  phone: boolean;
  document: boolean;
};

/** What a buyer sent, as text. Names are the spec's. */
export type OrderFields = {
  customer_name: string;
  customer_email: string;
  customer_email_confirmation: string;
  customer_phone: string;
  customer_document: string;
  order_bumps: string[];
};

/** The same from any door: the confirmation is null where there is no second field to mistype. */
export type SentFields = Omit<OrderFields, "customer_email_confirmation"> & {
  customer_email_confirmation: string | null;
};

/** Messages by field, in the order the form shows them. */
type OrderErrors = Partial<Record<keyof OrderFields, string>>;

const LONGEST = 500;

/** Query parameters that tell where a buyer came from. Source: contracts.md 2.5. */
const CAMPAIGN = /^(utm_(source|medium|campaign|term|content|id)|src|sck|xcod|sub_?id\d?|sid2)$/;

/** What is wrong in a buyer's form, as messages by field; nothing is ordered by it. */
export function orderMistakes(fields: SentFields, asked: AskedFields): OrderErrors {
  const read = readOrder(fields, asked);
  return read.ok ? {} : read.errors;
}

/**
 * Reads a buyer's form: every mistake at once, the spec's words. What is asked for is required. What is given without
 * being asked for is kept, and must be right too.
 * @returns either the checked customer and bump ids, or messages by field
 */
export function readOrder(
  fields: SentFields,
  asked: AskedFields,
): { ok: true; customer: Customer; bumpIds: number[] } | { ok: false; errors: OrderErrors } {
  const errors: OrderErrors = {};
  const name = cleanLine(fields.customer_name).replace(/\s+/g, " ").trim();
  const email = cleanMail(fields.customer_email);
  const again = fields.customer_email_confirmation;
  const check = (field: BuyerField & keyof OrderFields, typed: string, isAsked: boolean) => {
    const fault = faultOf(field, typed, isAsked, email);
    if (fault) errors[field] = fault;
  };
  check("customer_name", name, asked.name);
  check("customer_email", email, asked.email);
  if (asked.email && asked.emailConfirmation && again !== null && (again !== "" || email !== ""))
    check("customer_email_confirmation", again, true);
  check("customer_document", fields.customer_document, asked.document);
  check("customer_phone", fields.customer_phone, asked.phone);
  const phone = parsePhone(fields.customer_phone);
  const document = cleanDocument(fields.customer_document);
  const bumpIds = fields.order_bumps.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0);
  if (bumpIds.length !== fields.order_bumps.length) errors.order_bumps = "Oferta inválida";
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  const customer = { name: name || null, email: email || null, phone, document: document || null };
  return { ok: true, customer, bumpIds };
}

/** Longer than anybody looks at a checkout before they order. */
const LONGEST_LOOK = 7 * DAY;

/** When a buyer's tab first showed the checkout, from for how long it has (ms), as its script tells; null where it told nothing. */
export function readSeenAt(seenFor: string, now = Date.now()): Date | null {
  return /^\d{1,9}$/.test(seenFor) && Number(seenFor) <= LONGEST_LOOK
    ? new Date(now - Number(seenFor))
    : null;
}

/** The guarantee that a page showed, in days, as its form sends it back; null where it showed none. */
export function readSeenDays(seen: string): number | null {
  return /^\d{1,4}$/.test(seen) ? Number(seen) : null;
}

/**
 * The campaign parameters of a checkout address: decoded, at most 500 characters each, empty ones left out. A click's id is
 * whole or not there: a part of it is nobody's.
 */
export function readCampaign(query: Iterable<[string, string]>): Record<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of query) {
    const isWhole = CLICK_ID.test(name) && value.length <= LONGEST;
    if ((CAMPAIGN.test(name) || isWhole) && value !== "" && !found.has(name))
      found.set(name, cleanLine(value).slice(0, LONGEST).toWellFormed());
  }
  return Object.fromEntries(found);
}
