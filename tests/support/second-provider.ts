import { randomUUID } from "node:crypto";
import { TRANSACTION_STATES } from "#app/db/schema/lists.ts";
import { type Provider, ProviderError } from "#app/domain/payments/providers/port.ts";
import { DAY } from "#app/kit/duration.ts";
import { dynamicBrCode } from "#sandbox/br-code.ts";

type Payment = {
  cents: number;
  refundedCents: number;
  state: "open" | "paid" | "refunded";
  webhookUrl: string;
};

/** The second provider's own books: what a test pays and looks at. */
export const secondBank = new Map<string, Payment>();

const KEY = "segundo-banco";

/**
 * A PIX provider that exists in tests alone, with habits unlike PushinPay's: prefixed ids, JSON news, amounts never told
 * in text, no notice, refunds at once. A test registers it in `providers`.
 */
export const secondProvider: Provider = {
  name: "segundo",
  label: "Segundo",
  notice: null,
  minimumCents: 100,
  codeLifetime: 600_000,
  refunds: { partial: true, within: 30 * DAY },
  askAtMostEvery: 0,
  webhookHeader: "x-segundo",

  async createCharge({ apiKey }, { amountCents, webhookUrl }) {
    knows(apiKey);
    const providerId = `seg-${randomUUID()}`;
    secondBank.set(providerId, { cents: amountCents, refundedCents: 0, state: "open", webhookUrl });
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
      refundedCents: payment.refundedCents,
      webhookUrl: payment.webhookUrl,
    };
  },

  async refund({ apiKey }, providerId, amountCents) {
    knows(apiKey);
    const payment = secondBank.get(providerId);
    if (payment?.state !== "paid") throw new ProviderError("refused", "nada a devolver");
    payment.refundedCents += amountCents ?? payment.cents - payment.refundedCents;
    if (payment.refundedCents >= payment.cents) payment.state = "refunded";
  },

  async checkCredentials({ apiKey }) {
    return apiKey === KEY;
  },

  readNews(body) {
    const { pix } = JSON.parse(body) as { pix?: { ref: string; what: string } };
    if (!pix) return null;
    const state = TRANSACTION_STATES.find((known) => known === pix.what) ?? "unclear";
    return { providerId: pix.ref, state, word: pix.what, endToEndId: null };
  },
};

function knows(apiKey: string): void {
  if (apiKey !== KEY) throw new ProviderError("credentials", "chave desconhecida");
}
