import { z } from "zod";
import { SALE_STATUSES } from "#app/db/schema/lists.ts";
import { maybeText, moment, reais } from "#app/web/openapi/answers.server.ts";

/** What `saleJson` makes. */
export const saleAnswer = z.object({
  id: z.uuid(),
  product_id: z.int().nullable(),
  product_name: maybeText,
  product_file_url: maybeText,
  amount: reais,
  fee_amount: reais.nullable(),
  refunded_amount: reais,
  net_amount: reais.nullable(),
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
