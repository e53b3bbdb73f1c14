import { z } from "zod";
import { findPaymentSummary } from "#app/domain/charge/find-payment-summary.server.ts";
import { placeIdempotentOrder } from "#app/domain/checkout/place-idempotent-order.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import type { PlacedOrder } from "#app/domain/order/order.ts";
import { HAS_PAYMENT } from "#app/domain/order/order-refusal.ts";
import { findPixCode } from "#app/domain/pix/show-pix.server.ts";
import { detectDevice } from "#app/kit/device.ts";
import { renderQrPng } from "#app/platform/render-qr-png.server.ts";
import { endpoint, failureJson, json } from "#app/server/api/endpoint.server.ts";
import { idempotencyKeyHeader, readIdempotencyKey } from "#app/server/api/idempotency-key.server.ts";
import { limitCouponGuesses } from "#app/server/limits/limit-coupon-guesses.server.ts";
import { paymentStatus } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { clientIp } from "#app/server/request/client.server.ts";
import { MAX_PUBLIC_BODY } from "#app/server/request/read-bytes.server.ts";
import { readAdVisit, readBuyerContext } from "#app/server/session/buyer-context.server.ts";
import { rememberSale } from "#app/server/session/sales-cookie.server.ts";

const text = z
  .string()
  .max(1000)
  .nullish()
  .transform((value) => value ?? "");

/**
 * The payload, with campaign parameters. `seen_prices`, `seen_pix_discount`, `seen_guarantee` and `again` are the page's hidden
 * fields: a program that shows prices, a guarantee or a countdown (`offer_expires_at`) may send them. Mistyped e-mails are only
 * queried on the page: a program does not mistype.
 */
const payload = z.looseObject({
  product_id: z.coerce.number({ error: "product_id é obrigatório" }).int().positive(),
  customer_name: text,
  customer_email: text,
  customer_phone: text,
  customer_document: text,
  payment_method: z.literal("pix", { error: "Só o pagamento por PIX está disponível" }).default("pix"),
  order_bumps: z
    .array(z.union([z.string(), z.number()]))
    .max(50)
    .default([]),
  offer: text.meta({ description: "O endereço (slug) de uma oferta do produto" }),
  quantity: z.coerce
    .string()
    .max(10)
    .nullish()
    .transform((value) => value ?? "")
    .meta({ description: "Quantas unidades, onde a oferta permite mais de uma" }),
  coupon: text.meta({ description: "O código do cupom" }),
  seen_offer: text.meta({ description: "O lote que a página mostrou, como ela o escreve" }),
  seen_prices: text.meta({ description: "O que a página mostrou, como ela o escreve" }),
  seen_pix_discount: z.coerce
    .number({ error: "seen_pix_discount é um número" })
    .int({ error: "seen_pix_discount é um número inteiro" })
    .min(0, { error: "seen_pix_discount vai de 0 a 99" })
    .max(99, { error: "seen_pix_discount vai de 0 a 99" })
    .default(0)
    .meta({ description: "O desconto no PIX que a página mostrou, em porcento" }),
  seen_guarantee: z.coerce
    .number({ error: "seen_guarantee é um número de dias" })
    .int({ error: "seen_guarantee é um número de dias" })
    .default(0)
    .meta({ description: "A garantia mostrada ao comprador, em dias" }),
  offer_expires_at: z.coerce
    .number({ error: "offer_expires_at é um momento em milissegundos" })
    .default(0)
    .meta({ description: "Quando acaba a contagem mostrada, em milissegundos" }),
  ad_consent: z
    .boolean({ error: "ad_consent é true ou false" })
    .default(false)
    .meta({ description: "true: o comprador autoriza informar os anunciantes (pixels) ativos do vendedor" }),
  again: z
    .literal([true, false, "1", ""], { error: "again é true ou false" })
    .default(false)
    .meta({ description: "true: o comprador sabe que já comprou, e quer de novo" }),
});

/** A program may send an ad's id as a number. One that JSON cannot carry exactly is no id any more. */
function toCampaignEntry(name: string, value: unknown): [string, string][] {
  if (typeof value === "string") return [[name, value]];
  const isExact = typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return isExact ? [[name, String(value)]] : [];
}

const answer = z.object({
  payment_id: z
    .uuid()
    .nullable()
    .meta({ description: "null num pedido que já está concluído: gratuito, ou pago de outro modo" }),
  sale_id: z.uuid(),
  ...paymentStatus,
  pix_key: z.string().nullable().meta({
    description:
      "O PIX copia e cola; null onde nada há a pagar com ele: o pedido já recebeu um pagamento, um cartão está em análise, ou o código expirou antes que o pedido fosse repetido com o mesmo Idempotency-Key",
  }),
  qr_code: z.string().nullable().meta({ description: "O mesmo como imagem: um PNG como data URL" }),
});

/** Creates a sale and its PIX. An order that is sent again after a payment is answered as it is. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Faz um pedido e cria o PIX dele",
      details:
        "Até 30 pedidos sem pagamento em 10 minutos por endereço de rede, e 12 por hora para o mesmo e-mail numa loja: acima disso a resposta é 429, com Retry-After. Um servidor seu que pede por todos os compradores é um endereço só. Depois de 30 cupons desconhecidos em 10 minutos de um endereço de rede, a resposta também é 429, com field coupon, a um cupom válido; pedidos sem cupom seguem. Envie ids de anúncios como texto: um número JSON com mais de 15 dígitos perde dígitos e é ignorado.",
      body: payload,
      max: MAX_PUBLIC_BODY,
      answer,
      headers: idempotencyKeyHeader,
      example: {
        body: {
          product_id: "$PRODUCT",
          customer_name: "Ana Lima",
          customer_email: "ana@exemplo.com.br",
          customer_phone: "11987654321",
          customer_document: "52998224725",
          utm_source: "anuncio",
        },
      },
    },
    async ({ request, readWithSent }) => {
      const { fields: body, sent } = await readWithSent();
      // As it was sent: the schema's defaults change between versions.
      const named = readIdempotencyKey(request, sent);
      const order = {
        product: { id: body.product_id, offer: body.offer },
        fields: { ...body, customer_email_confirmation: null, order_bumps: body.order_bumps.map(String) },
        coupons: { typed: body.coupon, linked: null },
        campaign: Object.entries(body).flatMap(([name, value]) => toCampaignEntry(name, value)),
        ip: clientIp(request),
        ads: readAdVisit(request, body.ad_consent),
        device: detectDevice(request.headers.get("user-agent")),
        seenAt: null,
        seenOfferId: body.seen_offer || null,
        seenPrices: body.seen_prices,
        seenPixPercent: body.seen_pix_discount,
        seenGuaranteeDays: body.seen_guarantee || null,
        timerEndsAt: body.offer_expires_at,
        isRepurchase: body.again === true || body.again === "1",
        buyerContext: await readBuyerContext(request),
      };
      const placed = await limitCouponGuesses(request, order.coupons, () =>
        named ? placeIdempotentOrder(order, named) : placeOrder(order),
      );
      const { saleId, refusal } = placed;
      // Set also if no PIX could be created: the next attempt belongs to the same sale.
      const cookies = await rememberSale(request, saleId);
      const response =
        refusal && refusal.code !== HAS_PAYMENT
          ? failureJson(refusal, request, { sale_id: saleId })
          : json(await describePayment(placed));
      for (const line of cookies) response.headers.append("Set-Cookie", line);
      return response;
    },
  ),
});

async function describePayment({ saleId, chargeId, refusal }: PlacedOrder) {
  const { buyer, apiStatus, chargeId: newestId } = (await findPaymentSummary({ saleId }))!;
  // Of an order that was sent again: the first code may be over, and its buyer may have another one by now.
  const shownId = refusal || chargeId ? newestId : null;
  const pixKey = buyer === "payable" ? await findPixCode(shownId!) : null;
  return {
    payment_id: shownId,
    sale_id: saleId,
    status: apiStatus,
    standing: buyer,
    pix_key: pixKey,
    qr_code: pixKey && `data:image/png;base64,${renderQrPng(pixKey).toString("base64")}`,
  };
}
