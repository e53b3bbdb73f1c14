import { z } from "zod";
import { parseJson } from "#app/domain/gateway/providers/call-provider.server.ts";
import type { CardProvider, InstalmentPrices } from "#app/domain/gateway/providers/card-port.ts";
import { callMercadopago } from "#app/domain/gateway/providers/mercadopago/call-mercadopago.server.ts";
import { disputes, fetchTransaction } from "#app/domain/gateway/providers/mercadopago/chargebacks.server.ts";
import { findOrderByReference } from "#app/domain/gateway/providers/mercadopago/find-order.server.ts";
import { payerFields, toAmount } from "#app/domain/gateway/providers/mercadopago/order-fields.ts";
import { readOrder, toTransaction } from "#app/domain/gateway/providers/mercadopago/read-order.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { DAY } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";

const NUMBER = "Confira o número do cartão.";
const EXPIRY = "Confira a validade do cartão.";
const CODE = "Confira o código de segurança do cartão.";
const NAME = "Confira o nome impresso no cartão.";
const DOCUMENT = "Confira o CPF do titular.";
const TOKEN_ERRORS: Record<string, string> = {
  ...{ "205": NUMBER, E301: NUMBER, "208": EXPIRY, "209": EXPIRY, "325": EXPIRY, "326": EXPIRY },
  ...{ "224": CODE, E203: CODE, "221": NAME, "316": NAME },
  ...{ "212": DOCUMENT, "213": DOCUMENT, "214": DOCUMENT, "322": DOCUMENT, "323": DOCUMENT, "324": DOCUMENT },
};

const CREDIT_CARD = "credit_card";
/** The prices shown before a card is typed. */
const COMMON_BRAND = "visa";
/**
 * When a card's bank challenges the buyer (3-D Secure): where the provider sees a risk, since it would decline that card otherwise, and
 * where the bank demanded it (`always`). The chargeback's liability then moves to the bank where it can. The vendor's OpenAPI prints
 * other words (`supported`, `not_required`); its SDK and working integrations send these.
 */
const transactionSecurity = (isRequired: boolean) => ({
  validation: isRequired ? "always" : "on_fraud_risk",
  liability_shift: "preferred",
});
/** Of its answers to a payment; a declined one is an order, too. */
const DECLINED = 402;

const brands = z.object({
  results: z.array(z.object({ id: z.string().max(40), payment_type_id: z.string().max(40) })),
});

/** An amount in reais as a number, as cents. */
const reais = z.number().transform((value) => Math.round(value * 100));
const prices = z.array(
  z.object({
    payment_type_id: z.string().nullish().catch(null),
    payer_costs: z.array(
      z.object({
        installments: z.int().min(1).max(48),
        installment_rate: z.number(),
        installment_amount: reais,
        total_amount: reais,
      }),
    ),
  }),
);

/** Mercado Pago's cards by the Orders API. Its oddities are in the stand-in, too: `sandbox/mercadopago/cards`. */
export const cards: CardProvider = {
  fields: () => ({
    sdkUrl: env.MERCADOPAGO_SDK_URL,
    sdkName: "MercadoPago",
    // It identifies the browser; the SDK's own way needs 'unsafe-inline'.
    deviceUrl: env.sandboxUrl
      ? `${env.MERCADOPAGO_BASE_URL}/v2/security.js`
      : "https://www.mercadopago.com/v2/security.js",
    deviceName: "MP_DEVICE_SESSION_ID",
    tokenErrors: TOKEN_ERRORS,
    sources: {
      script: [env.MERCADOPAGO_SDK_URL, env.sandboxUrl ?? "https://www.mercadopago.com"].map(originOf),
      // The SDK fetches the fields' page before it frames it.
      connect: [env.MERCADOPAGO_BASE_URL, env.MERCADOPAGO_FIELDS_ORIGIN]
        .map(originOf)
        .concat(env.sandboxUrl ? [] : ["https://api-static.mercadopago.com"]),
      frame: [originOf(env.MERCADOPAGO_FIELDS_ORIGIN)],
      image: env.sandboxUrl ? [] : ["https://*.mercadopago.com"],
    },
  }),

  async pay({ apiKey }, payment) {
    const {
      amountCents,
      reference,
      token,
      brand,
      instalments,
      productName,
      payer,
      deviceId,
      isChallengeRequired,
    } = payment;
    const amount = toAmount(amountCents);
    const type = payer.document.length === 11 ? "CPF" : "CNPJ";
    const body = {
      type: "online",
      processing_mode: "automatic",
      total_amount: amount,
      external_reference: reference,
      config: { online: { transaction_security: transactionSecurity(isChallengeRequired) } },
      // Without name and document more cards are declined.
      payer: { ...payerFields(payer), identification: { type, number: payer.document } },
      items: [
        { title: truncate(productName, 100), quantity: 1, unit_price: amount, category_id: "services" },
      ],
      transactions: {
        payments: [
          { amount, payment_method: { id: brand, type: CREDIT_CARD, token, installments: instalments } },
        ],
      },
    };
    const answer = await callMercadopago(apiKey, "POST", "/v1/orders", {
      ...{ idempotencyKey: reference, body, acceptedStatus: DECLINED },
      headers: deviceId ? { "X-meli-session-id": deviceId } : {},
    });
    const json = parseJson(answer.body);
    const order = readOrder(answer.status === DECLINED ? dataOf(json) : json);
    // It may have been paid all the same.
    if (!order) throw new ProviderError("no-answer", `orders answered ${answer.status} without an order`);
    return toTransaction(order, "card");
  },

  async findPayment({ apiKey }, reference) {
    const order = await findOrderByReference(apiKey, reference);
    return order && fetchTransaction(apiKey, order, "card");
  },

  unknownCardWords: ["card_token_not_found", "invalid_card_token"],
  refundWindowMs: 180 * DAY,
  disputes,

  async listInstalments({ apiKey }, amountCents, bin): Promise<InstalmentPrices | null> {
    const brand = bin === null ? COMMON_BRAND : await findBrand(apiKey, bin);
    if (brand === null) return null;
    const query = new URLSearchParams({
      amount: toAmount(amountCents),
      payment_method_id: brand,
      ...(bin === null ? {} : { bin }),
    });
    const answer = await callMercadopago(apiKey, "GET", `/v1/payment_methods/installments?${query}`);
    const read = prices.safeParse(parseJson(answer.body));
    const listed = read.success ? read.data : [];
    // One brand may have debit cards, too, which have no instalments.
    const costs = (listed.find((one) => one.payment_type_id === CREDIT_CARD) ?? listed[0])?.payer_costs;
    if (!costs || costs.length === 0) throw new ProviderError("nonsense", "no instalments");
    return {
      brand,
      prices: costs.map((cost) => ({
        count: cost.installments,
        instalmentCents: cost.installment_amount,
        totalCents: cost.total_amount,
        isInterestFree: cost.installment_rate === 0,
      })),
    };
  },
};

async function findBrand(accessToken: string, bin: string): Promise<string | null> {
  const answer = await callMercadopago(accessToken, "GET", `/v1/payment_methods/search?bins=${bin}`);
  const read = brands.safeParse(parseJson(answer.body));
  if (!read.success) throw new ProviderError("nonsense", "no brands");
  return read.data.results.find((one) => one.payment_type_id === CREDIT_CARD)?.id ?? null;
}

function dataOf(json: unknown): unknown {
  return (json as { data?: unknown } | null)?.data;
}

function originOf(url: string): string {
  return new URL(url).origin;
}
