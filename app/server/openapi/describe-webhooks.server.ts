import { z } from "zod";
import { DELIVERY_EVENTS, type DeliveryEvent, REFUND_REQUEST_KINDS } from "#app/db/schema/lists.ts";
import { EVENT_TEXTS } from "#app/domain/delivery/delivery-text.server.ts";
import { sampleNotification } from "#app/domain/delivery/sample-notification.ts";
import { standardBody } from "#app/domain/delivery/webhook/standard-webhook.server.ts";
import { schemaOf } from "#app/server/openapi/schema.server.ts";

const moment = z.iso.datetime().meta({ description: "Em UTC" });
const cents = z.int().meta({ description: "Em centavos" });
const reais = z.number().meta({ description: "Em reais" });

/** The message of our default format, for any event. */
const message = z.strictObject({
  type: z.enum(DELIVERY_EVENTS),
  timestamp: moment.meta({ description: "Quando aconteceu, em UTC" }),
  data: z.strictObject({
    test: z.boolean().meta({ description: "true num teste enviado pelo painel" }),
    sale: z.strictObject({
      id: z.uuid(),
      parent_sale_id: z.uuid().nullable().meta({ description: "A compra de que esta é o upsell" }),
      status: z
        .enum(["pending", "completed", "failed", "disputed", "refunded", "chargedback"])
        .meta({ description: "Como o evento deixou a venda" }),
      payment_method: z.string(),
      instalments: z.int().nullable(),
      coupon: z
        .strictObject({ code: z.string(), discount: reais, discount_cents: cents })
        .nullable()
        .meta({ description: "O cupom do pedido e quanto descontou; amount já é depois dele" }),
      offer: z
        .strictObject({ id: z.uuid(), name: z.string() })
        .nullable()
        .meta({ description: "A oferta do pedido; null: o preço do produto" }),
      amount: reais,
      amount_cents: cents,
      refunded_cents: cents.meta({
        description:
          "Quanto de amount já voltou, em centavos; o que voltou de um pagamento em dobro ou com outro valor não entra",
      }),
      created_at: moment,
      paid_at: moment.nullable(),
      refunded_at: moment.nullable().meta({
        description: "Em UTC; null num chargeback: quando o banco devolveu é o timestamp de sale.chargedback",
      }),
    }),
    product: z.strictObject({ id: z.string(), name: z.string() }),
    items: z.array(
      z.strictObject({
        id: z.uuid(),
        type: z.enum(["product", "bump", "offer"]),
        code: z
          .string()
          .nullable()
          .meta({ description: "O código do produto, também depois de excluído; null se não é conhecido" }),
        name: z.string(),
        quantity: z.int().meta({ description: "Quantas unidades; price é de todas" }),
        price: reais.meta({ description: "Em reais, depois do desconto" }),
        price_cents: cents,
        discount_cents: cents.meta({ description: "Quanto o cupom descontou, em centavos" }),
        method_discount_cents: cents.meta({
          description: "Quanto o método de pagamento descontou, em centavos",
        }),
      }),
    ),
    customer: z.strictObject({
      name: z.string().nullable(),
      email: z.string().nullable(),
      phone: z.string().nullable().meta({ description: "E.164, como +5511987654321" }),
      document: z
        .string()
        .nullable()
        .meta({ description: "CPF ou CNPJ, só onde o webhook foi configurado para enviá-lo" }),
    }),
    campaign: z.record(z.string(), z.string()).meta({ description: "utm_*, src, sck e outros da página" }),
    pix: z
      .strictObject({
        code: z.string().nullable(),
        expires_at: moment.nullable(),
        url: z.url().meta({ description: "Leva o comprador de volta ao PIX" }),
      })
      .nullable()
      .meta({ description: "Em pix.generated e pix.expired" }),
    refund: z.strictObject({ amount: reais, amount_cents: cents }).nullable().meta({
      description:
        "O que voltou com este evento: uma parte em sale.partially_refunded, o que restava em sale.refunded e sale.chargedback",
    }),
    refund_request: z
      .strictObject({
        kind: z.enum(REFUND_REQUEST_KINDS).meta({
          description:
            "right: dentro do prazo; o dinheiro volta por si enquanto o provedor devolve, senão o vendedor devolve pelo banco. question: o vendedor responde",
        }),
      })
      .nullable()
      .meta({ description: "Em refund.requested" }),
    access_url: z.url().nullable().meta({ description: "Em access.granted: onde o comprador acessa" }),
  }),
});

/** An example of an event's message. */
export function webhookExample(event: DeliveryEvent): object {
  const id = "7b0e9b52-6f0c-4b7e-9d7a-0d8f5c1e2a34";
  return standardBody(
    sampleNotification(event, { subjectId: id, sellerId: id, createdAt: new Date("2026-11-22T12:00:00Z") }),
  );
}

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
});

/** The description of the webhooks we send: `webhooks`, and their schema. */
export function describeWebhooks() {
  const webhooks = Object.fromEntries(DELIVERY_EVENTS.map((event) => [event, { post: messageJson(event) }]));
  return { webhooks, schemas: { WebhookMessage: schemaOf(message, "output") } };
}

const MESSAGE_REF = { $ref: "#/components/schemas/WebhookMessage" };

function messageJson(event: DeliveryEvent) {
  return {
    operationId: `webhook_${event.replace(".", "_")}`,
    tags: ["webhooks"],
    summary: EVENT_TEXTS[event].label,
    description: EVENT_TEXTS[event].text,
    parameters: [
      header("webhook-id", "O mesmo em todas as tentativas: guarde-o para reconhecer repetições"),
      header("webhook-timestamp", "Quando esta tentativa foi feita, em segundos desde 1970"),
      header(
        "webhook-signature",
        "v1 e a assinatura, Standard Webhooks 1.0; duas durante a troca do segredo",
      ),
    ],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { allOf: [MESSAGE_REF], properties: { type: { const: event } } },
          example: webhookExample(event),
        },
      },
    },
    responses: {
      "2XX": { description: "Recebido" },
      "410": { description: "Não envie mais: o webhook é pausado" },
      default: { description: "Tentamos de novo: dez vezes em cerca de três dias" },
    },
  };
}
