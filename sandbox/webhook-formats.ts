import { SECOND } from "./time.ts";
import type { Provider, Refund, Status, Transaction } from "./transactions.ts";

/** A webhook as it is sent. */
export interface Message {
  body: string;
  headers: Record<string, string>;
}

/** How a provider sends its webhooks. */
export interface WebhookFormat {
  /** Where a transaction's webhooks go; null: nowhere. */
  urlOf(transaction: Transaction): string | null;
  /** `refund`: the one that the webhook is about. Null where the provider has no webhook for this. */
  message(transaction: Transaction, status: Status, refund?: Refund): Message | null;
  /** A webhook of another topic about the same, and where it goes. */
  ofOtherTopic?(transaction: Transaction): { url: string; message: Message } | null;
  /** Adds to a forged body what the provider adds to its own; text is sent unchanged. */
  wrap(body: unknown): Message;
  /** Milliseconds before each attempt after a failed one, and for how long an answer is awaited. */
  retryWaits: number[];
  answerWithin: number;
}

export type WebhookFormats = Record<Provider, WebhookFormat>;

/**
 * How PushinPay's webhooks are encoded until this is changed or reset: the real service sends form, its docs show json;
 * the real id is UPPERCASE; a header is sent only by accounts that configured one.
 */
export interface PushinPayEncoding {
  encoding: "form" | "json";
  idCase: "upper" | "lower";
  header: { name: string; value: string } | null;
}

/** After a failed first attempt PushinPay retries three times; the intervals are ours. */
const PUSHINPAY_WAITS = [SECOND, 2 * SECOND, 4 * SECOND];

export function pushinpayFormat(settings: () => PushinPayEncoding): WebhookFormat {
  const wrap = (body: unknown): Message => {
    const { encoding, header } = settings();
    return {
      body: encode(body, encoding),
      headers: {
        "content-type": encoding === "json" ? "application/json" : "application/x-www-form-urlencoded",
        "user-agent": "GuzzleHttp/7",
        ...(header ? { [header.name]: header.value } : {}),
      },
    };
  };
  return {
    urlOf: ({ webhookUrl }) => webhookUrl,
    message: (transaction, status) => wrap(webhookBody({ ...transaction, status }, settings().idCase)),
    wrap,
    retryWaits: PUSHINPAY_WAITS,
    answerWithin: 2 * SECOND,
  };
}

/** The observed fields; the payer's are null until paid. */
function webhookBody(transaction: Transaction, idCase: "upper" | "lower") {
  const paid = transaction.status !== "created";
  return {
    id: idCase === "upper" ? transaction.id.toUpperCase() : transaction.id,
    value: transaction.value,
    status: transaction.status,
    end_to_end_id: paid ? transaction.endToEndId : null,
    payer_name: paid ? transaction.payerName : null,
    payer_national_registration: paid ? transaction.payerDocument : null,
  };
}

/** Text is sent unchanged. A form leaves nulls out, as PHP's `http_build_query` does. */
function encode(body: unknown, encoding: "form" | "json") {
  if (typeof body === "string") return body;
  if (encoding === "json") return JSON.stringify(body);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body ?? {})) {
    if (value !== null && value !== undefined) form.append(name, String(value));
  }
  return form.toString();
}
