import { z } from "zod";
import { NEWS_EVENTS, type NewsEvent, REFUND_REQUEST_KINDS } from "#app/db/schema/lists.ts";
import { EVENT_WORDS } from "#app/domain/outbox/news-words.server.ts";
import { sampleNews } from "#app/domain/outbox/sample-news.ts";
import { standardBody } from "#app/domain/outbox/webhook/standard-body.ts";
import { schemaOf } from "#app/web/openapi/document.server.ts";

const moment = z.iso.datetime().meta({ description: "Em UTC" });
const cents = z.int().meta({ description: "Em centavos" });
const reais = z.number().meta({ description: "Em reais" });

/** What our own form sends, of whatever event. */
const message = z.strictObject({
  type: z.enum(NEWS_EVENTS),
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
      amount: reais,
      amount_cents: cents,
      refunded_cents: cents,
      created_at: moment,
      paid_at: moment.nullable(),
      refunded_at: moment.nullable(),
    }),
    product: z.strictObject({ id: z.string(), name: z.string() }),
    items: z.array(
      z.strictObject({
        id: z.uuid(),
        type: z.enum(["product", "bump", "offer"]),
        code: z.string().nullable().meta({ description: "O código do produto; null se já foi excluído" }),
        name: z.string(),
        price: reais,
        price_cents: cents,
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
          description: "right: dentro do prazo, o dinheiro volta por si; question: o vendedor responde",
        }),
      })
      .nullable()
      .meta({ description: "Em refund.requested" }),
    access_url: z.url().nullable().meta({ description: "Em access.granted: onde o comprador acessa" }),
  }),
});

/** What an event's message holds, invented. */
export function webhookExample(event: NewsEvent): object {
  const id = "7b0e9b52-6f0c-4b7e-9d7a-0d8f5c1e2a34";
  return standardBody(
    sampleNews(event, { subjectId: id, sellerId: id, createdAt: new Date("2026-11-22T12:00:00Z") }),
  );
}

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
});

/** What the description says of messages that we send, where the rest says what we take: `webhooks`, and their schema. */
export function sentMessages() {
  const webhooks = Object.fromEntries(NEWS_EVENTS.map((event) => [event, { post: messageJson(event) }]));
  return { webhooks, schemas: { WebhookMessage: schemaOf(message, "output") } };
}

const MESSAGE = { $ref: "#/components/schemas/WebhookMessage" };

function messageJson(event: NewsEvent) {
  return {
    operationId: `webhook_${event.replace(".", "_")}`,
    tags: ["webhooks"],
    summary: EVENT_WORDS[event].label,
    description: EVENT_WORDS[event].text,
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
          schema: { allOf: [MESSAGE], properties: { type: { const: event } } },
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
