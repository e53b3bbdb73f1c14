import { z } from "zod";
import { SALE_STATUSES } from "#app/db/schema/lists.ts";
import { maybeText, moment, reais } from "#app/web/openapi/answers.server.ts";

/** One payment received. */
const payment = z.object({
  charge_id: z.uuid().nullable().meta({ description: "null: registrado sem cobrança nossa" }),
  kind: z.enum(["counts", "overpayment", "amount-mismatch"]).meta({
    description: "counts: conclui a venda; overpayment: pagamento em dobro; amount-mismatch: de outro valor",
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

/** What `saleJson` makes. */
export const saleAnswer = z.object({
  id: z.uuid(),
  product_id: z.int().nullable(),
  product_name: maybeText,
  product_file_url: maybeText,
  amount: reais.meta({ description: "O valor do pedido" }),
  received_amount: reais.meta({ description: "Tudo o que entrou, também em dobro ou com outro valor" }),
  fee_amount: reais.nullable().meta({ description: "O que o provedor reteve; null quando ele não diz" }),
  refunded_amount: reais.meta({ description: "Tudo o que voltou" }),
  net_amount: reais.nullable().meta({ description: "received_amount - refunded_amount - fee_amount" }),
  payments: z.array(payment),
  status: z.enum(SALE_STATUSES),
  payment_method: z.string(),
  transaction_id: maybeText,
  customer_name: maybeText,
  customer_email: maybeText,
  customer_phone: maybeText,
  customer_document: maybeText.meta({ description: "CPF ou CNPJ, com parte escondida" }),
  customer_ip: maybeText,
  created_at: moment,
  utm_source: maybeText,
  utm_medium: maybeText,
  utm_campaign: maybeText,
  utm_term: maybeText,
  utm_content: maybeText,
});

/** What `deliveryJson` makes. */
export const deliveryAnswer = z.object({
  id: z.uuid(),
  sale_id: z.uuid(),
  recipient_email: z.string(),
  customer_name: maybeText,
  product_name: z.string(),
  amount: reais,
  delivery_status: z.string(),
  retry_count: z.int(),
  error_message: maybeText,
  created_at: moment,
  sent_at: moment.nullable(),
});
