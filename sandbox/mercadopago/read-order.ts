/** An error of the Orders API: its status, code and message. */
export interface OrderError {
  status: number;
  code: string;
  message: string;
}

/** Money in cents. `method`: how it is to be paid. */
export interface WantedOrder {
  reference: string;
  cents: number;
  email: string;
  /** Whether it says who pays: without name and document, cards are declined. */
  isIdentified: boolean;
  method: WantedPix | WantedCard;
}

interface WantedPix {
  type: "pix";
  lifetimeMinutes: number;
}

export interface WantedCard {
  type: "card";
  brand: string;
  token: string;
  installments: number;
  statementDescriptor: string | null;
  itemTitle: string | null;
  /** Whether a 3DS challenge is allowed. */
  mayChallenge: boolean;
  mustChallenge: boolean;
}

type Fields = Record<string, unknown>;

const KNOWN_FIELDS = [
  ...["type", "processing_mode", "total_amount", "external_reference", "description", "payer", "items"],
  ...["marketplace_fee", "transactions", "additional_info", "config", "capture_mode", "expiration_time"],
];
const CARD_BRANDS = ["visa", "master", "amex", "elo", "hipercard"];
const CARD_FIELDS = ["id", "type", "token", "installments", "statement_descriptor"];
const VALIDATIONS = ["always", "on_fraud_risk", "never"];
const DOCUMENTS = new Map([
  ["CPF", /^\d{11}$/],
  ["CNPJ", /^\d{14}$/],
]);

/** Parses the body of `POST /v1/orders`. Source: Mercado Pago's documentation. */
export function readWantedOrder(body: unknown): WantedOrder | OrderError {
  const fields = asFields(body);
  const unknown = Object.keys(fields).find((name) => !KNOWN_FIELDS.includes(name));
  if (unknown) return invalid("unsupported_properties", `The property ${unknown} is not supported`);
  const { type, external_reference: reference, total_amount: total } = fields;
  if (type !== "online") return invalid("invalid_order_type", "type must be online");
  if (typeof reference !== "string" || !/^[\w-]{1,64}$/.test(reference))
    return invalid("property_value", "external_reference is invalid");
  const payer = asFields(fields.payer);
  const { email, first_name: firstName, identification } = payer;
  if (typeof email !== "string" || !email.includes("@"))
    return invalid("required_properties", "payer.email is required");
  const payments = asFields(fields.transactions).payments;
  if (!Array.isArray(payments) || payments.length !== 1)
    return invalid("order_builder_without_transactions", "transactions.payments is required");
  const payment = asFields(payments[0]);
  const { amount } = payment;
  if (typeof amount !== "string" || !/^\d+\.\d{2}$/.test(amount) || amount !== total)
    return invalid("property_value", "the amounts are strings with two decimals, and equal");
  const isCard = asFields(payment.payment_method).type === "credit_card";
  const method = isCard ? readCard(payment, fields) : readPix(payment);
  if ("code" in method) return method;
  return {
    ...{ reference, email, method },
    isIdentified: typeof firstName === "string" && firstName !== "" && identification !== undefined,
    cents: Math.round(Number(amount) * 100),
  };
}

function readPix({ expiration_time: lifetime, payment_method: method }: Fields): WantedPix | OrderError {
  const { id, type } = asFields(method);
  if (id !== "pix" || type !== "bank_transfer")
    return invalid("property_value", "payment_method is not supported");
  const minutes = lifetime === undefined ? "1440" : /^PT(\d+)M$/.exec(String(lifetime))?.[1];
  if (!minutes || Number(minutes) < 30)
    return invalid("property_value", "expiration_time is a duration of 30 minutes at least");
  return { type: "pix", lifetimeMinutes: Number(minutes) };
}

function readCard(
  payment: Fields,
  { payer, items, config, capture_mode: captureMode }: Fields,
): WantedCard | OrderError {
  const method = asFields(payment.payment_method);
  const unknown = Object.keys(method).find((name) => !CARD_FIELDS.includes(name));
  if (unknown) return invalid("unsupported_properties", `The property ${unknown} is not supported`);
  if (payment.expiration_time !== undefined)
    return invalid("unsupported_properties", "expiration_time is not supported");
  const { identification } = asFields(payer);
  const { type, number } = asFields(identification);
  if (identification !== undefined && !DOCUMENTS.get(String(type))?.test(String(number)))
    return invalid("property_value", "payer.identification is invalid");
  const { id, token, installments, statement_descriptor: statement = null } = method;
  if (typeof id !== "string" || !CARD_BRANDS.includes(id))
    return invalid("property_value", "payment_method.id is not supported");
  if (typeof token !== "string" || token === "")
    return invalid("required_properties", "payment_method.token is required");
  if (installments === undefined)
    return invalid("required_properties", "payment_method.installments is required");
  if (!Number.isInteger(installments))
    return invalid("property_type", "payment_method.installments is a number");
  if (statement !== null && !(typeof statement === "string" && statement.length <= 50))
    return invalid("property_value", "statement_descriptor has 50 characters at most");
  if (captureMode !== undefined && !["automatic", "automatic_async"].includes(String(captureMode)))
    return invalid("property_value", "capture_mode is not supported");
  const { title } = asFields(Array.isArray(items) ? items[0] : null);
  const security = asFields(asFields(asFields(config).online).transaction_security);
  const { validation = "never", liability_shift: shift = "preferred" } = security;
  if (!VALIDATIONS.includes(String(validation)) || !["required", "preferred"].includes(String(shift)))
    return invalid("property_value", "transaction_security is invalid");
  return {
    ...{ type: "card", brand: id, token, installments: installments as number },
    ...{ statementDescriptor: statement as string | null, mayChallenge: validation !== "never" },
    itemTitle: typeof title === "string" ? title : null,
    mustChallenge: validation === "always",
  };
}

function asFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function invalid(code: string, message: string): OrderError {
  return { status: 400, code, message };
}
