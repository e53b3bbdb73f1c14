import { z } from "zod";
import { type Provider, ProviderError, type TransactionState } from "#app/domain/payments/providers/port.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { DAY, MINUTE, SECOND } from "#app/kit/duration.ts";
import { parseOutside } from "#app/kit/outside-json.ts";
import { pick } from "#app/kit/pick.ts";
import { withoutEnd } from "#app/kit/without-end.ts";
import { env } from "#app/platform/env.server.ts";
import { type CallAnswer, CallError, call } from "#app/platform/http.server.ts";

/** What the database's columns hold. */
const MOST_CENTS = 2 ** 31 - 1;

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
/** Something we keep where we understand it, and do without where not: no oddity in it may hold up a payment. */
const aside = z
  .string()
  .transform((text) => clean(text).slice(0, 500))
  .nullish()
  .catch(null);
const created = z.object({ id, qr_code: z.string().min(20) });
const transaction = z.object({
  id,
  status: z.string(),
  // A number in cashIn's answer, a numeric string in the query's.
  value: z.coerce.number().int(),
  fee: z.coerce.number().int().min(0).max(MOST_CENTS).nullish().catch(null),
  webhook_url: aside,
});
const news = z.object({
  id,
  status: z.string().transform(clean).pipe(z.string().min(1)),
  end_to_end_id: aside,
});

/** What sellers must say at the offer and before payment, word for word. Source: contracts.md 1.8. */
export const PUSHINPAY_NOTICE =
  "A PUSHIN PAY atua exclusivamente como processadora de pagamentos e não possui qualquer responsabilidade pela entrega, suporte, conteúdo, qualidade ou cumprimento das obrigações relacionadas aos produtos ou serviços oferecidos pelo vendedor.";

/** PushinPay. Facts and oddities: contracts.md section 1. */
export const pushinpay: Provider = {
  name: "pushinpay",
  label: "PushinPay",
  notice: PUSHINPAY_NOTICE,
  minimumCents: 50,
  codeLifetime: 30 * MINUTE,
  // The Central Bank's 90 days; only whole payments. Source: contracts.md 1.6 and 4.6.
  refunds: { partial: false, within: 90 * DAY },
  // A second more: they count when questions arrive, we when they leave.
  askAtMostEvery: MINUTE + SECOND,
  webhookHeader: "x-pushinpay-token",

  async createCharge({ apiKey }, { amountCents, webhookUrl }) {
    const answer = await ask(apiKey, "POST", "/pix/cashIn", { value: amountCents, webhook_url: webhookUrl });
    const body = created.safeParse(parse(answer));
    if (!body.success)
      throw new ProviderError("nonsense", `cashIn answered ${answer.status} without a PIX code`);
    return { providerId: body.data.id.toLowerCase(), pixCode: body.data.qr_code.trim(), expiresAt: null };
  },

  async findTransaction({ apiKey }, providerId) {
    const answer = await ask(apiKey, "GET", `/transactions/${encodeURIComponent(providerId)}`);
    // Unknown is 404 with `[]`; a fresh charge may be unknown for a while.
    const body = transaction.safeParse(parse(answer));
    if (answer.status === 404 || !body.success) return null;
    const { id, status, value, fee, webhook_url } = body.data;
    const word = status.toLowerCase();
    return {
      providerId: id.toLowerCase(),
      state: pick(STATES, word) ?? "unclear",
      word,
      amountCents: value,
      feeCents: fee ?? null,
      refundedCents: null,
      webhookUrl: webhook_url || null,
    };
  },

  async refund({ apiKey }, providerId) {
    const answer = await ask(apiKey, "POST", `/transactions/${encodeURIComponent(providerId)}/refund`).catch(
      (error: unknown) => {
        // A 5xx may come after the deed; money is not sent twice on a guess.
        if (error instanceof ProviderError && error.kind === "busy" && !error.message.startsWith("429"))
          throw new ProviderError("no-answer", error.message);
        throw error;
      },
    );
    if (answer.status === 404) throw new ProviderError("refused", "404: pagamento desconhecido");
  },

  async checkCredentials({ apiKey }) {
    try {
      await ask(apiKey, "GET", `/transactions/${crypto.randomUUID()}`);
      return true;
    } catch (error) {
      if (error instanceof ProviderError && error.kind === "credentials") return false;
      throw error;
    }
  },

  readNews(body) {
    // The documentation shows JSON, practice is form encoding, and the header may lie: the body tells.
    const found = news.safeParse(
      body.trimStart().startsWith("{") ? parseJson(body) : Object.fromEntries(new URLSearchParams(body)),
    );
    if (!found.success) return null;
    const { id, status, end_to_end_id } = found.data;
    const word = status.toLowerCase();
    const state = pick(STATES, word) ?? "unclear";
    return { providerId: id.toLowerCase(), state, word, endToEndId: end_to_end_id || null };
  },
};

async function ask(apiKey: string, method: string, path: string, body?: object): Promise<CallAnswer> {
  let answer: CallAnswer;
  try {
    answer = await call(withoutEnd(env.PUSHINPAY_BASE_URL, "/") + path, {
      method,
      timeoutMs: 12 * SECOND,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        Accept: "application/json",
        "Content-Type": "application/json",
      },
      body: body ? JSON.stringify(body) : null,
    });
  } catch (error) {
    if (error instanceof CallError) throw new ProviderError("no-answer", error.message);
    throw error;
  }
  const { status } = answer;
  if ((status >= 200 && status < 300) || status === 404) return answer;
  if (status === 401 || status === 403) throw new ProviderError("credentials", words(answer));
  if (status === 429 || status >= 500) throw new ProviderError("busy", words(answer));
  throw new ProviderError("refused", words(answer));
}

/** `message`, then the first entry of `errors`: Laravel's shape. */
function words(answer: CallAnswer): string {
  const body = z
    .object({ message: z.string().optional(), errors: z.record(z.string(), z.array(z.string())).optional() })
    .safeParse(parse(answer));
  const text = body.success
    ? (body.data.message ?? Object.values(body.data.errors ?? {})[0]?.[0])
    : undefined;
  return `${answer.status}: ${(text ?? "sem mensagem").slice(0, 300)}`;
}

/** A provider's word or name, which is one line. */
function clean(text: string): string {
  return cleanLine(text).trim();
}

function parse(answer: CallAnswer): unknown {
  return parseJson(answer.body);
}

function parseJson(text: string): unknown {
  try {
    return parseOutside(text);
  } catch {
    return null;
  }
}
