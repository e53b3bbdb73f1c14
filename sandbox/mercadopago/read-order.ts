/** An error of the Orders API: its status, code and message. */
export interface OrderError {
  status: number;
  code: string;
  message: string;
}

export interface WantedOrder {
  reference: string;
  cents: number;
  email: string;
  lifetimeMinutes: number;
}

const KNOWN_FIELDS = [
  ...["type", "processing_mode", "total_amount", "external_reference", "description", "payer", "items"],
  ...["marketplace_fee", "transactions", "additional_info", "config", "capture_mode", "expiration_time"],
];

/** Parses the body of `POST /v1/orders` for a PIX. Source: contracts-2 1.3, contracts-3 a.2. */
export function readWantedOrder(body: unknown): WantedOrder | OrderError {
  const fields = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const unknown = Object.keys(fields).find((name) => !KNOWN_FIELDS.includes(name));
  if (unknown) return invalid("unsupported_properties", `The property ${unknown} is not supported`);
  const { type, external_reference: reference, total_amount: total } = fields;
  if (type !== "online") return invalid("invalid_order_type", "type must be online");
  if (typeof reference !== "string" || !/^[\w-]{1,64}$/.test(reference))
    return invalid("property_value", "external_reference is invalid");
  const email = (fields.payer as { email?: unknown } | undefined)?.email;
  if (typeof email !== "string" || !email.includes("@"))
    return invalid("required_properties", "payer.email is required");
  const payments = (fields.transactions as { payments?: unknown } | undefined)?.payments;
  if (!Array.isArray(payments) || payments.length !== 1)
    return invalid("order_builder_without_transactions", "transactions.payments is required");
  const { amount, expiration_time: lifetime, payment_method: method } = payments[0];
  if (typeof amount !== "string" || !/^\d+\.\d{2}$/.test(amount) || amount !== total)
    return invalid("property_value", "the amounts are strings with two decimals, and equal");
  if (method?.id !== "pix" || method?.type !== "bank_transfer")
    return invalid("property_value", "payment_method is not supported");
  const minutes = lifetime === undefined ? "1440" : /^PT(\d+)M$/.exec(String(lifetime))?.[1];
  if (!minutes || Number(minutes) < 30)
    return invalid("property_value", "expiration_time is a duration of 30 minutes at least");
  return {
    ...{ reference, email, lifetimeMinutes: Number(minutes) },
    cents: Math.round(Number(amount) * 100),
  };
}

function invalid(code: string, message: string): OrderError {
  return { status: 400, code, message };
}
