import { z } from "zod";
import { parseJson } from "#app/domain/gateway/providers/call-provider.server.ts";
import { callMercadopago } from "#app/domain/gateway/providers/mercadopago/call-mercadopago.server.ts";
import { cards } from "#app/domain/gateway/providers/mercadopago/cards.server.ts";
import { fetchTransaction } from "#app/domain/gateway/providers/mercadopago/chargebacks.server.ts";
import {
  findOrder,
  findOrderByReference,
  orderPath,
} from "#app/domain/gateway/providers/mercadopago/find-order.server.ts";
import { form } from "#app/domain/gateway/providers/mercadopago/form.ts";
import { payerFields, toAmount } from "#app/domain/gateway/providers/mercadopago/order-fields.ts";
import { parseLongIds } from "#app/domain/gateway/providers/mercadopago/parse-long-ids.server.ts";
import {
  codeOf,
  numericId,
  orderId,
  readOrder,
  toTransaction,
} from "#app/domain/gateway/providers/mercadopago/read-order.ts";
import {
  ID_IN_QUERY,
  isSignedNotification,
  signNotification,
} from "#app/domain/gateway/providers/mercadopago/signature.server.ts";
import { statement } from "#app/domain/gateway/providers/mercadopago/statement/source.server.ts";
import { type Provider, ProviderError, type TransactionState } from "#app/domain/gateway/providers/port.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { DAY, MINUTE, SECOND } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";

/** The shortest it accepts. */
const CODE_LIFETIME = 30 * MINUTE;

const ACTIONS: Record<string, TransactionState> = {
  "order.created": "open",
  "order.action_required": "open",
  "order.processing": "open",
  "order.processed": "paid",
  "order.canceled": "cancelled",
  "order.failed": "cancelled",
  "order.expired": "expired",
  "order.refunded": "refunded",
  // Also when it is decided.
  "order.charged_back": "disputed",
};

/** The docs write the topic both ways. */
const TOPICS = ["order", "orders"];
const CHARGEBACKS = "topic_chargebacks_wh";

const notification = z.object({
  type: z.string().max(100),
  action: z.string().max(100).transform(cleanLine).nullish().catch(null),
  data: z.object({ id: orderId, external_reference: z.string().max(100).nullish().catch(null) }),
});
const aboutChargeback = z.object({ type: z.literal(CHARGEBACKS), data: z.object({ id: numericId }) });
const aboutAny = z.object({ data: z.object({ id: numericId }) });
const otherTopic = z.object({ type: z.string().refine((type) => ![...TOPICS, CHARGEBACKS].includes(type)) });
/** The older IPN, which an account may send as well. */
const ipn = z.object({ topic: z.string(), resource: z.string() });

/** Mercado Pago, by the Orders API. Its oddities are in the stand-in, too: `sandbox/mercadopago`. */
export const mercadopago: Provider = {
  name: "mercadopago",
  label: "Mercado Pago",
  article: "o",
  warning: null,
  form,
  // It accepts a PIX without one.
  needsDocument: false,
  needsEmail: true,
  // Its own minimum is not published; nothing cheaper is sold.
  minimumCents: 50,
  // Each account has its own limit.
  maximumCents: null,
  codeLifetimeMs: CODE_LIFETIME,
  // A key is used up by its first call.
  isCreatingIdempotent: false,
  // No limit is published.
  minCheckIntervalMs: 10 * SECOND,
  refunds: { partial: true, windowMs: 90 * DAY },
  // What an order looks like while a PIX is contested is undocumented. Cards: `cards.disputes`.
  reportsDisputes: false,
  webhookProof: "optional-signature",
  // A public key has a UUID after the prefix.
  apiKeyPattern: /^(APP_USR|TEST)-\d{9,}-\d{6}-/,
  cards,
  statement,

  async createCharge({ apiKey }, { amountCents, reference, payer }) {
    // An older order may lack it.
    if (!payer.email) throw new ProviderError("refused", "o Mercado Pago exige o e-mail de quem paga");
    const amount = toAmount(amountCents);
    const body = {
      type: "online",
      processing_mode: "automatic",
      total_amount: amount,
      external_reference: reference,
      payer: payerFields({ name: payer.name, email: payer.email }),
      transactions: {
        payments: [
          {
            amount,
            // In the order itself it is echoed and ignored.
            expiration_time: `PT${CODE_LIFETIME / MINUTE}M`,
            payment_method: { id: "pix", type: "bank_transfer" },
          },
        ],
      },
    };
    const answer = await callMercadopago(apiKey, "POST", "/v1/orders", { idempotencyKey: reference, body });
    const order = readOrder(parseJson(answer.body));
    const created = order && codeOf(order);
    if (!created) throw new ProviderError("nonsense", `orders answered ${answer.status} without a PIX code`);
    return created;
  },

  async findByReference({ apiKey }, reference) {
    const order = await findOrderByReference(apiKey, reference);
    return order && toTransaction(order, "pix").state === "open" ? codeOf(order) : null;
  },

  async cancelCharge({ apiKey }, providerId) {
    await callMercadopago(apiKey, "POST", `${orderPath(providerId)}/cancel`, {
      idempotencyKey: crypto.randomUUID(),
    });
  },

  async findTransaction({ apiKey }, providerId, known) {
    const order = await findOrder(apiKey, providerId);
    const transaction = order && (await fetchTransaction(apiKey, order, known?.method ?? null));
    if (transaction?.areRefundsUnread && (known?.isBooked ?? true))
      throw new ProviderError("nonsense", "an order whose refunds cannot be read");
    return transaction;
  },

  async refund({ apiKey }, providerId, { reference, amountCents }) {
    const order = amountCents === null ? null : await findOrder(apiKey, providerId);
    if (amountCents !== null && !order) throw new ProviderError("refused", "404: pagamento desconhecido");
    const body = order && {
      transactions: [{ id: order.transactions.payments[0]!.id, amount: toAmount(amountCents!) }],
    };
    await callMercadopago(apiKey, "POST", `${orderPath(providerId)}/refund`, {
      idempotencyKey: reference,
      ...(body ? { body } : {}),
    });
  },

  async checkCredentials({ apiKey }) {
    try {
      await callMercadopago(apiKey, "GET", orderPath(`ORD${crypto.randomUUID().replaceAll("-", "")}`));
      return true;
    } catch (error) {
      if (error instanceof ProviderError && error.kind === "credentials") return false;
      // Their answer to an id they cannot read.
      if (error instanceof ProviderError && error.kind === "refused") return true;
      throw error;
    }
  },

  parseWebhook(text) {
    const json = parseLongIds(text);
    const chargeback = aboutChargeback.safeParse(json);
    if (chargeback.success) return { disputeId: chargeback.data.data.id };
    // Applications may send other topics here, too.
    if (otherTopic.safeParse(json).success || ipn.safeParse(json).success) return "nothing";
    const body = notification.safeParse(json);
    if (!body.success) return null;
    const { action, data } = body.data;
    const providerStatus = action || "order";
    return {
      ...{ providerId: data.id, providerStatus, reference: data.external_reference ?? null },
      state: pick(ACTIONS, providerStatus) ?? "unclear",
      endToEndId: null,
    };
  },

  isWebhookGenuine(secret, { body, ...signed }) {
    // The signature is of the query alone.
    const named = aboutAny.safeParse(parseLongIds(body));
    const isSame =
      named.success && named.data.data.id.toUpperCase() === signed.query(ID_IN_QUERY)?.toUpperCase();
    return isSame && isSignedNotification(secret, signed);
  },

  exampleWebhook(providerId, secret) {
    const body = { type: "order", action: "order.created", api_version: "v1", data: { id: providerId } };
    const [requestId, ts] = [crypto.randomUUID(), String(Math.floor(Date.now() / SECOND))];
    const v1 = secret && signNotification(secret, { id: providerId, requestId, ts });
    return {
      headers: {
        "Content-Type": "application/json",
        "x-request-id": requestId,
        ...(v1 ? { "x-signature": `ts=${ts},v1=${v1}` } : {}),
      },
      query: { [ID_IN_QUERY]: providerId, type: "order" },
      body: JSON.stringify(body),
    };
  },
};
