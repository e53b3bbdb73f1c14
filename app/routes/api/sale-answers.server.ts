import { z } from "zod";
import { SALE_STATUSES } from "#app/db/schema/lists.ts";
import { MAIL_LOG_FILTERS } from "#app/domain/reports/list-mail-log.server.ts";
import { moment, nullableText, reais } from "#app/server/openapi/answers.server.ts";

/** One payment received. */
const payment = z.object({
  charge_id: z.uuid().nullable().meta({ description: "null: registrado sem cobrança nossa" }),
  kind: z.enum(["counts", "overpayment", "amount-mismatch"]).meta({
    description: "counts: conclui a venda; overpayment: pagamento em dobro; amount-mismatch: de outro valor",
  }),
  instalments: z.int().nullable().meta({ description: "De um cartão: em quantas parcelas; null no PIX" }),
  buyer_paid: reais.nullable().meta({
    description:
      "De um cartão: o que o comprador paga ao todo, com os juros das parcelas, que são do provedor",
  }),
  received: reais,
  refunded: reais,
  fee: reais.nullable(),
  net: reais,
  paid_at: moment,
  refund_status: z
    .enum(["none", "requested", "accepted", "refused", "unconfirmed", "part", "done", "contested"])
    .meta({
      description:
        "requested: pedido, sem resposta do provedor; accepted: aceito por ele; done: devolvido por inteiro; part: em parte",
    }),
  refunded_at: moment.nullable(),
});

/** Schema of `toSaleJson`. */
export const saleAnswer = z.object({
  id: z.uuid(),
  product_id: z.int().nullable(),
  product_name: nullableText,
  product_file_url: nullableText,
  amount: reais.meta({ description: "O valor do pedido" }),
  received_amount: reais.meta({ description: "Tudo o que entrou, também em dobro ou com outro valor" }),
  fee_amount: reais.nullable().meta({ description: "O que o provedor reteve; null quando ele não diz" }),
  refunded_amount: reais.meta({
    description: "Tudo o que voltou, também de pagamentos em dobro ou com outro valor",
  }),
  net_amount: reais.nullable().meta({ description: "received_amount - refunded_amount - fee_amount" }),
  offer: z
    .object({ id: z.uuid(), name: nullableText })
    .nullable()
    .meta({ description: "A oferta do pedido; null: o preço do produto" }),
  quantity: z.int().meta({ description: "Quantas unidades do produto" }),
  coupon: z
    .object({ code: z.string(), discount: reais })
    .nullable()
    .meta({ description: "O cupom do pedido e quanto descontou; amount já é depois dele" }),
  payments: z.array(payment),
  status: z.enum(SALE_STATUSES),
  payment_method: z.string().meta({ description: "pix, card ou free" }),
  transaction_id: nullableText,
  customer_name: nullableText,
  customer_email: nullableText,
  customer_phone: nullableText,
  customer_document: nullableText.meta({ description: "CPF ou CNPJ, com parte escondida" }),
  customer_ip: nullableText,
  created_at: moment,
  utm_source: nullableText,
  utm_medium: nullableText,
  utm_campaign: nullableText,
  utm_term: nullableText,
  utm_content: nullableText,
});

/** Schema of `toMailLogJson`. */
export const mailLogAnswer = z.object({
  id: z.uuid(),
  sale_id: z.uuid(),
  recipient_email: z.string(),
  customer_name: nullableText,
  product_name: z.string(),
  amount: reais,
  delivery_status: z.enum(MAIL_LOG_FILTERS).exclude(["all"]),
  retry_count: z.int(),
  error_message: nullableText,
  created_at: moment,
  sent_at: moment.nullable(),
});
