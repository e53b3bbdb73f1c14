import type { Order } from "#app/domain/sales/place-sale.server.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { cleanDocument, isValidDocument } from "#app/kit/documents.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { LONGEST_NAME } from "#app/kit/name-for-mail.ts";
import { parsePhone } from "#app/kit/phone.ts";

/** Which fields a seller asks for; what is asked for is required. */
export type Asked = {
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

/** Messages by field, in the order the form shows them. */
export type OrderErrors = Partial<Record<keyof OrderFields, string>>;

/** Query parameters that tell where a buyer came from. Source: contracts.md 2.5. */
const CAMPAIGN =
  /^(utm_(source|medium|campaign|term|content|id)|src|sck|xcod|sub_?id\d?|sid2|fbclid|gclid|gbraid|wbraid|ttclid|msclkid)$/;

/**
 * Reads a buyer's form: every mistake at once, the spec's words. Fields that are not asked for are not kept.
 * @returns either the checked customer and bump ids, or messages by field
 */
export function readOrder(
  fields: OrderFields,
  asked: Asked,
): { ok: true; customer: Order["customer"]; bumpIds: number[] } | { ok: false; errors: OrderErrors } {
  const errors: OrderErrors = {};
  const name = asked.name ? cleanLine(fields.customer_name).replace(/\s+/g, " ").trim() : "";
  const address = asked.email ? fields.customer_email.trim().toLowerCase() : "";
  const phone = asked.phone ? parsePhone(fields.customer_phone) : null;
  const document = asked.document ? cleanDocument(fields.customer_document) : null;
  if (asked.name && name === "") errors.customer_name = "Nome é obrigatório";
  else if ([...name].length > LONGEST_NAME)
    errors.customer_name = `Nome muito longo (até ${LONGEST_NAME} caracteres)`;
  if (asked.email && address === "") errors.customer_email = "E-mail é obrigatório";
  else if (asked.email && !isMailAddress(address)) errors.customer_email = "E-mail inválido";
  if (
    asked.email &&
    asked.emailConfirmation &&
    fields.customer_email_confirmation.trim().toLowerCase() !== address
  ) {
    errors.customer_email_confirmation = "Os e-mails não coincidem";
  }
  if (asked.document && document === "") errors.customer_document = "CPF/CNPJ é obrigatório";
  else if (document && !isValidDocument(document)) errors.customer_document = "CPF/CNPJ inválido";
  if (asked.phone && fields.customer_phone.trim() === "") errors.customer_phone = "Telefone é obrigatório";
  else if (asked.phone && !phone) errors.customer_phone = "Telefone inválido. Informe o DDD e o número";
  const bumpIds = fields.order_bumps.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0);
  if (bumpIds.length !== fields.order_bumps.length) errors.order_bumps = "Oferta inválida";
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  return { ok: true, customer: { name, email: address, phone, document }, bumpIds };
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
