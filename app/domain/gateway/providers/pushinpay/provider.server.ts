import { z } from "zod";
import { type Provider, ProviderError, type TransactionState } from "#app/domain/gateway/providers/port.ts";
import { ask, parse } from "#app/domain/gateway/providers/pushinpay/call.server.ts";
import { form, TOKEN_HEADER } from "#app/domain/gateway/providers/pushinpay/form.ts";
import { cleanLine, cut } from "#app/kit/clean-text.ts";
import { DAY, MINUTE, SECOND } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import { isSameSecret } from "#app/platform/secrets.server.ts";

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
  .transform((text) => cut(clean(text), 500))
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
const NOTICE =
  "A PUSHIN PAY atua exclusivamente como processadora de pagamentos e não possui qualquer responsabilidade pela entrega, suporte, conteúdo, qualidade ou cumprimento das obrigações relacionadas aos produtos ou serviços oferecidos pelo vendedor.";

/** PushinPay. Facts and oddities: contracts.md section 1. */
export const pushinpay: Provider = {
  name: "pushinpay",
  label: "PushInPay",
  article: "a",
  notice: NOTICE,
  form,
  needsDocument: false,
  minimumCents: 50,
  // Each account has its own limit, and the answer above it names it.
  maximumCents: null,
  codeLifetime: 30 * MINUTE,
  isCreatingIdempotent: false,
  findByReference: null,
  // A second more: they count when questions arrive, we when they leave.
  askAtMostEvery: MINUTE + SECOND,
  // The Central Bank's 90 days; only whole payments. Source: contracts.md 1.6 and 4.6.
  refunds: { partial: false, within: 90 * DAY },
  // Nothing documented says so of a single PIX, nor what a query answers meanwhile. Source: contracts.md 1.4, 1.6 and 7.6.
  reportsDisputes: false,
  areNewsSigned: false,

  async createCharge({ apiKey }, { amountCents, webhookUrl }) {
    const answer = await ask(apiKey, "POST", "/pix/cashIn", { value: amountCents, webhook_url: webhookUrl });
    const body = created.safeParse(parse(answer.body));
    if (!body.success)
      throw new ProviderError("nonsense", `cashIn answered ${answer.status} without a PIX code`);
    return { providerId: body.data.id.toLowerCase(), pixCode: body.data.qr_code.trim(), expiresAt: null };
  },

  async findTransaction({ apiKey }, providerId) {
    const answer = await ask(apiKey, "GET", `/transactions/${encodeURIComponent(providerId)}`);
    // Unknown is 404 with `[]`; a fresh charge may be unknown for a while.
    const body = transaction.safeParse(parse(answer.body));
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
      body.trimStart().startsWith("{") ? parse(body) : Object.fromEntries(new URLSearchParams(body)),
    );
    if (!found.success) return null;
    const { id, status, end_to_end_id } = found.data;
    const word = status.toLowerCase();
    const state = pick(STATES, word) ?? "unclear";
    return { providerId: id.toLowerCase(), state, word, endToEndId: end_to_end_id || null };
  },

  areNewsGenuine(secret, { header }) {
    return isSameSecret(secret, header(TOKEN_HEADER) ?? "");
  },

  exampleNews(providerId, secret) {
    return {
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        ...(secret ? { [TOKEN_HEADER]: secret } : {}),
      },
      body: new URLSearchParams({ id: providerId, status: "created", value: "50" }).toString(),
    };
  },
};

/** A provider's word or name, which is one line. */
function clean(text: string): string {
  return cleanLine(text).trim();
}
