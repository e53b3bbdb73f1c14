import { z } from "zod";
import { callProvider, failureOf, parseJson } from "#app/domain/gateway/providers/call-provider.server.ts";
import { type Provider, ProviderError, type TransactionState } from "#app/domain/gateway/providers/port.ts";
import { form, TOKEN_HEADER } from "#app/domain/gateway/providers/pushinpay/form.ts";
import { cleanLine, truncate } from "#app/kit/clean-text.ts";
import { DAY, MINUTE, SECOND } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import { env } from "#app/platform/env.server.ts";
import type { CallAnswer } from "#app/platform/http.server.ts";
import { countFromZero } from "#app/platform/measure-call.server.ts";
import { isSameSecret } from "#app/platform/secrets.server.ts";

/** The maximum of the database's columns. */
const MAX_CENTS = 2 ** 31 - 1;

const STATES: Record<string, TransactionState> = {
  created: "open",
  pending: "open",
  paid: "paid",
  canceled: "cancelled",
  cancelled: "cancelled",
  expired: "expired",
  refunded: "refunded",
};

const id = z.string().regex(/^[\w-]{8,100}$/);
/** Optional text, null where it is invalid: it must not hold up a payment. */
const optionalText = z
  .string()
  .transform((text) => truncate(cleanText(text), 500))
  .nullish()
  .catch(null);
const createdResponse = z.object({ id, qr_code: z.string().min(20) });
const transactionResponse = z.object({
  id,
  status: z.string(),
  // A number in cashIn's answer, a numeric string in the query's.
  value: z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
    .pipe(z.int().min(1).max(MAX_CENTS)),
  fee: z.coerce.number().int().min(0).max(MAX_CENTS).nullish().catch(null),
  webhook_url: optionalText,
});
const webhookBody = z.object({
  id,
  status: z.string().transform(cleanText).pipe(z.string().min(1)),
  end_to_end_id: optionalText,
});
/** Each field by itself: one that is missing or of another type must not hide the reason. */
const errorBody = z.object({
  message: optionalText,
  error: optionalText,
  errors: z.record(z.string(), z.union([z.string(), z.array(z.string())]).catch([])).catch({}),
});

/** What PushinPay requires sellers to show at the checkout and before payment, literally. */
const WARNING_TEXT =
  "A PUSHIN PAY atua exclusivamente como processadora de pagamentos e não possui qualquer responsabilidade pela entrega, suporte, conteúdo, qualidade ou cumprimento das obrigações relacionadas aos produtos ou serviços oferecidos pelo vendedor.";

/** PushinPay. What was observed of its API, with its oddities, is in the stand-in: `sandbox/pushinpay.ts`. */
export const pushinpay: Provider = {
  name: "pushinpay",
  label: "PushInPay",
  article: "a",
  warning: WARNING_TEXT,
  form,
  needsDocument: false,
  needsEmail: false,
  minimumCents: 50,
  // Each account has its own limit; the error for an amount above it names the limit.
  maximumCents: null,
  codeLifetimeMs: 30 * MINUTE,
  isCreatingIdempotent: false,
  findByReference: null,
  // A second more: they measure when calls arrive, we when they leave.
  minCheckIntervalMs: MINUTE + SECOND,
  // The Central Bank's 90 days; PushinPay refunds in full only.
  refunds: { partial: false, windowMs: 90 * DAY },
  // Disputes of a single PIX are undocumented, and so is a query's answer during one.
  reportsDisputes: false,
  webhookProof: "optional-secret",
  cards: null,
  statement: null,
  cancelCharge: null,

  async createCharge({ apiKey }, { amountCents, webhookUrl }) {
    const answer = await callPushinpay(apiKey, "POST", "/pix/cashIn", {
      value: amountCents,
      webhook_url: webhookUrl,
    });
    const body = createdResponse.safeParse(parseJson(answer.body));
    if (!body.success)
      throw new ProviderError("nonsense", `cashIn answered ${answer.status} without a PIX code`);
    return { providerId: body.data.id.toLowerCase(), pixCode: body.data.qr_code.trim(), expiresAt: null };
  },

  async findTransaction({ apiKey }, providerId) {
    const answer = await callPushinpay(apiKey, "GET", `/transactions/${encodeURIComponent(providerId)}`);
    // An unknown transaction is 404 with `[]`; a new charge may be unknown for a while.
    if (answer.status === 404) return null;
    const body = transactionResponse.safeParse(parseJson(answer.body));
    if (!body.success) throw new ProviderError("nonsense", "a transaction that cannot be read");
    const { id, status, value, fee, webhook_url } = body.data;
    const providerStatus = status.toLowerCase();
    return {
      providerId: id.toLowerCase(),
      state: pick(STATES, providerStatus) ?? "unclear",
      providerStatus,
      amountCents: value,
      feeCents: fee ?? null,
      refundedCents: null,
      webhookUrl: webhook_url || null,
    };
  },

  async refund({ apiKey }, providerId) {
    await callPushinpay(apiKey, "POST", `/transactions/${encodeURIComponent(providerId)}/refund`);
  },

  async checkCredentials({ apiKey }) {
    try {
      await callPushinpay(apiKey, "GET", `/transactions/${crypto.randomUUID()}`);
      return true;
    } catch (error) {
      if (error instanceof ProviderError && error.kind === "credentials") return false;
      throw error;
    }
  },

  parseWebhook(body) {
    // Documented as JSON, sent form-encoded, and the content type may be wrong: only the body is reliable.
    const found = webhookBody.safeParse(
      body.trimStart().startsWith("{") ? parseJson(body) : Object.fromEntries(new URLSearchParams(body)),
    );
    if (!found.success) return null;
    const { id, status, end_to_end_id } = found.data;
    const providerStatus = status.toLowerCase();
    const state = pick(STATES, providerStatus) ?? "unclear";
    return { providerId: id.toLowerCase(), state, providerStatus, endToEndId: end_to_end_id || null };
  },

  isWebhookGenuine(secret, { header }) {
    return isSameSecret(secret, header(TOKEN_HEADER) ?? "");
  },

  exampleWebhook(providerId, secret) {
    return {
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        ...(secret ? { [TOKEN_HEADER]: secret } : {}),
      },
      body: new URLSearchParams({ id: providerId, status: "created", value: "50" }).toString(),
    };
  },
};

/** A status or name of the provider, as one line. */
function cleanText(text: string): string {
  return cleanLine(text).trim();
}

countFromZero("pushinpay");

/** Calls PushinPay's API once. @throws ProviderError unless the answer is 2xx, or 404 to a GET */
async function callPushinpay(
  apiKey: string,
  method: string,
  path: string,
  body?: object,
): Promise<CallAnswer> {
  const answer = await callProvider({
    ...{ service: "pushinpay", baseUrl: env.PUSHINPAY_BASE_URL, method, path, body },
    headers: { Authorization: `Bearer ${apiKey}` },
    timeoutMs: 12 * SECOND,
  });
  const { status } = answer;
  if ((status >= 200 && status < 300) || (method === "GET" && status === 404)) return answer;
  throw failureOf(method, answer, readReason(answer));
}

/** `message`, then the first entry of `errors`: Laravel's shape. Null where there is none. */
function readReason({ status, body }: CallAnswer): string | null {
  const json = parseJson(body);
  const { message, errors, error } = errorBody.safeParse(json).data ?? {};
  // An unknown transaction is `[]`.
  const isUnknown = status === 404 && Array.isArray(json);
  return (
    message || Object.values(errors ?? {}).flat()[0] || error || (isUnknown ? "pagamento desconhecido" : null)
  );
}
