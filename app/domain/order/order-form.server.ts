import type { Customer } from "#app/domain/order/order-key.server.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { cleanDocument, isValidDocument } from "#app/kit/documents.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { LONGEST_NAME } from "#app/kit/name-for-mail.ts";
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

/** Query parameters that tell where a buyer came from. Source: contracts.md 2.5. */
const CAMPAIGN =
  /^(utm_(source|medium|campaign|term|content|id)|src|sck|xcod|sub_?id\d?|sid2|fbclid|gclid|gbraid|wbraid|ttclid|msclkid)$/;

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
  const email = fields.customer_email.trim().toLowerCase();
  const typedPhone = fields.customer_phone.trim();
  const phone = parsePhone(typedPhone);
  const document = cleanDocument(fields.customer_document);
  if (asked.name && name === "") errors.customer_name = "Nome é obrigatório";
  else if ([...name].length > LONGEST_NAME)
    errors.customer_name = `Nome muito longo (até ${LONGEST_NAME} caracteres)`;
  if (asked.email && email === "") errors.customer_email = "E-mail é obrigatório";
  else if (email && !isMailAddress(email)) errors.customer_email = "E-mail inválido";
  const again = fields.customer_email_confirmation?.trim().toLowerCase() ?? null;
  if (asked.email && asked.emailConfirmation && again !== null && again !== email)
    errors.customer_email_confirmation = "Os e-mails não coincidem";
  if (asked.document && document === "") errors.customer_document = "CPF/CNPJ é obrigatório";
  else if (document && !isValidDocument(document)) errors.customer_document = "CPF/CNPJ inválido";
  if (asked.phone && typedPhone === "") errors.customer_phone = "Telefone é obrigatório";
  else if (typedPhone && !phone) errors.customer_phone = "Telefone inválido. Informe o DDD e o número";
  const bumpIds = fields.order_bumps.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0);
  if (bumpIds.length !== fields.order_bumps.length) errors.order_bumps = "Oferta inválida";
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  const customer = { name: name || null, email: email || null, phone, document: document || null };
  return { ok: true, customer, bumpIds };
}

/** The campaign parameters of a checkout address: decoded, at most 500 characters each, empty ones left out. */
export function readCampaign(query: Iterable<[string, string]>): Record<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of query) {
    if (CAMPAIGN.test(name) && value !== "" && !found.has(name))
      found.set(name, cleanLine(value).slice(0, 500).toWellFormed());
  }
  return Object.fromEntries(found);
}
