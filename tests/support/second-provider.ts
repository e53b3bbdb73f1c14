import { randomUUID } from "node:crypto";
import { type Provider, ProviderError } from "#app/domain/payments/providers/port.ts";
import { dynamicBrCode } from "#sandbox/br-code.ts";

type Payment = { cents: number; state: "open" | "paid" | "refunded"; webhookUrl: string };

/** The second provider's own books: what a test pays and looks at. */
export const secondBank = new Map<string, Payment>();

const KEY = "segundo-banco";

/**
 * A PIX provider that exists in tests alone, with habits unlike PushinPay's: prefixed ids, JSON news, amounts never told
 * in text, no notice, refunds at once. A test registers it in `providers`.
 */
export const secondProvider: Provider = {
  name: "segundo",
  notice: null,
  minimumCents: 100,
  askAtMostEvery: 0,
  webhookHeader: "x-segundo",

  async createCharge({ apiKey }, { amountCents, webhookUrl }) {
    knows(apiKey);
    const providerId = `seg-${randomUUID()}`;
    secondBank.set(providerId, { cents: amountCents, state: "open", webhookUrl });
    const pixCode = dynamicBrCode({
      url: `pix.segundo.local/${providerId.slice(0, 20)}`,
      cents: amountCents,
      name: "SEGUNDO",
      city: "RECIFE",
    });
    return { providerId, pixCode, expiresAt: new Date(Date.now() + 600_000) };
  },

  async findTransaction({ apiKey }, providerId) {
    knows(apiKey);
    const payment = secondBank.get(providerId);
    if (!payment) return null;
    return {
      providerId,
      state: payment.state,
      word: payment.state,
      amountCents: payment.cents,
      feeCents: 99,
      endToEndId: null,
      payerName: null,
      webhookUrl: payment.webhookUrl,
    };
  },

  async refund({ apiKey }, providerId) {
    knows(apiKey);
    const payment = secondBank.get(providerId);
    if (payment?.state !== "paid") throw new ProviderError("refused", "nada a devolver");
    payment.state = "refunded";
  },

  async checkCredentials({ apiKey }) {
    return apiKey === KEY;
  },

  readNews(body) {
    const { pix } = JSON.parse(body) as { pix?: { ref: string; what: string } };
    return pix ? { providerId: pix.ref, status: pix.what, endToEndId: null } : null;
  },
};

function knows(apiKey: string): void {
  if (apiKey !== KEY) throw new ProviderError("credentials", "chave desconhecida");
}
