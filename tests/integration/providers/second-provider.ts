import { timingSafeEqual } from "node:crypto";
import { TRANSACTION_STATES } from "#app/db/schema/lists.ts";
import { mercadopago } from "#app/domain/gateway/providers/mercadopago/provider.server.ts";
import { type CreatedCharge, type Provider, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { DAY } from "#app/kit/duration.ts";
import {
  type PaymentView,
  SIGNATURE_HEADER,
  secondBankUrl,
  signSecondWebhook,
} from "#tests/integration/providers/second-bank.ts";

/**
 * A PIX provider for tests, over a server of its own (second-bank.ts). It differs from PushinPay in each capability,
 * and in its conventions: prefixed ids, JSON webhooks, an expiry with each code, immediate refunds. A test registers
 * it in `providers`.
 */
export const secondProvider: Provider = {
  name: "segundo",
  label: "Segundo",
  article: "o",
  warning: null,
  form: {
    title: "Segundo",
    text: "Receba por PIX com o Segundo.",
    toggle: { field: "segundo_enabled", label: "Receber por PIX com o Segundo" },
    keys: [
      {
        field: "segundo_conta",
        storedAs: "publicKey",
        label: "Conta",
        isSecret: false,
        hint: "A da agência.",
      },
      { field: "segundo_chave", storedAs: "apiKey", label: "Chave", isSecret: true, hint: "A do painel." },
      {
        field: "segundo_assinatura",
        storedAs: "webhookSecret",
        label: "Segredo",
        isSecret: true,
        hint: "Assina os avisos.",
      },
    ],
    webhook: { field: "segundo_webhook", hint: "Cada PIX já leva este endereço." },
    keyMissing: "Salve primeiro a chave do Segundo.",
  },
  needsDocument: true,
  needsEmail: true,
  minimumCents: 100,
  maximumCents: 300_000,
  codeLifetimeMs: 600_000,
  isCreatingIdempotent: true,
  minCheckIntervalMs: 0,
  refunds: { partial: true, windowMs: 30 * DAY },
  reportsDisputes: true,
  webhookProof: "secret",
  cards: mercadopago.cards,
  statement: mercadopago.statement,

  async findByReference({ apiKey }, reference) {
    const { status, body } = await request(apiKey, "GET", `/cobrancas?referencia=${reference}`);
    return status === 404 ? null : codeOf(body);
  },

  async createCharge({ apiKey }, { amountCents, reference, webhookUrl, payer }) {
    const wanted = { valor: amountCents, referencia: reference, cpf: payer.document, retorno: webhookUrl };
    return codeOf((await request(apiKey, "POST", "/cobrancas", wanted)).body);
  },

  async cancelCharge({ apiKey }, providerId) {
    await request(apiKey, "DELETE", `/cobrancas/${providerId}`);
  },

  async findTransaction({ apiKey }, providerId) {
    const { status, body } = await request(apiKey, "GET", `/cobrancas/${providerId}`);
    if (status === 404) return null;
    return {
      providerId: body.id,
      state: body.estado,
      providerStatus: body.estado,
      amountCents: body.valor,
      feeCents: 99,
      refundedCents: body.devolvido,
      webhookUrl: body.retorno,
    };
  },

  async refund({ apiKey }, providerId, { amountCents }) {
    await request(apiKey, "POST", `/cobrancas/${providerId}/devolucoes`, { valor: amountCents });
  },

  async checkCredentials({ apiKey }) {
    try {
      await request(apiKey, "GET", "/cobrancas/nenhuma");
      return true;
    } catch (error) {
      if (error instanceof ProviderError && error.kind === "credentials") return false;
      throw error;
    }
  },

  parseWebhook(body) {
    try {
      const { pix } = JSON.parse(body) as { pix?: { ref: string; what: string } };
      if (typeof pix?.ref !== "string" || typeof pix.what !== "string") return null;
      const state = TRANSACTION_STATES.find((known) => known === pix.what) ?? "unclear";
      return { providerId: pix.ref, state, providerStatus: pix.what, endToEndId: null };
    } catch {
      return null;
    }
  },

  isWebhookGenuine(secret, { body, header }) {
    const [right, given] = [signSecondWebhook(secret, body), header(SIGNATURE_HEADER) ?? ""].map(Buffer.from);
    return right!.length === given!.length && timingSafeEqual(right!, given!);
  },

  exampleWebhook(providerId, secret) {
    const body = JSON.stringify({ pix: { ref: providerId, what: "open" } });
    const headers: Record<string, string> = {};
    if (secret) headers[SIGNATURE_HEADER] = signSecondWebhook(secret, body);
    return { headers, body };
  },
};

function codeOf(body: PaymentView): CreatedCharge {
  return { providerId: body.id, pixCode: body.copiaECola, expiresAt: new Date(body.vence) };
}

async function request(
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: PaymentView }> {
  const answer = await fetch((await secondBankUrl()) + path, {
    method,
    headers: { "X-Chave": key, Connection: "close" },
    body: body ? JSON.stringify(body) : null,
    signal: AbortSignal.timeout(5000),
  }).catch((error: Error) => {
    throw new ProviderError("no-answer", error.message);
  });
  const { status } = answer;
  const text = await answer.text();
  if (status === 401) throw new ProviderError("credentials", "401: chave desconhecida");
  if (status === 429) throw new ProviderError("busy", "429: devagar");
  if (status >= 500) throw new ProviderError("no-answer", `${status}: o banco caiu`);
  try {
    const parsed = JSON.parse(text);
    if (status < 400 || status === 404) return { status, body: parsed };
    throw new ProviderError("refused", `${status}: ${parsed.erro}`);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw new ProviderError(
      method === "POST" && path.endsWith("devolucoes") ? "no-answer" : "nonsense",
      "<html>",
    );
  }
}
