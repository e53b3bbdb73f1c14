import { z } from "zod";
import { DELIVERY_END_STATUSES, DELIVERY_EVENTS, STOP_REASONS } from "#app/db/schema/lists.ts";
import { FORMS } from "#app/domain/delivery/webhook/settings.ts";
import { webhookForm } from "#app/domain/delivery/webhook/webhook-form.server.ts";
import { moment, nullableText } from "#app/server/openapi/answers.server.ts";

const maybeMoment = moment.nullable();
const events = z.array(z.enum(DELIVERY_EVENTS));

/** Schema of `webhookJson`. */
export const listedWebhookAnswer = z.object({
  id: z.uuid(),
  name: z.string(),
  url: z.string(),
  form: z.enum(FORMS),
  with_document: z.boolean(),
  events,
  scope: z.enum(["all", "some"]),
  products: z.array(z.int()),
  is_active: z.boolean(),
  stopped_at: maybeMoment,
  stopped_why: z.enum(STOP_REASONS).nullable(),
  failing_since: maybeMoment,
  last_tried_at: maybeMoment,
  last_status: nullableText,
});

/** The same, for a single webhook. */
export const webhookAnswer = listedWebhookAnswer.extend({ version: z.string() });

/** A secret, returned only once. */
export const secret = z.string().meta({
  description: "O segredo que assina os avisos, mostrado só nesta resposta",
});

/** The token of a form that has one, returned only once. */
export const token = z.string().optional().meta({
  description:
    "Dos formatos Kiwify e Hotmart: com ele quem recebe confere os avisos. Mostrado só nesta resposta",
});

/** Schema of `deliveryJson`. */
export const deliveryAnswer = z.object({
  id: z.uuid(),
  message_id: z.string().meta({ description: "O webhook-id, o mesmo em todas as tentativas" }),
  event: z.enum(DELIVERY_EVENTS),
  sale_id: z.uuid().nullable(),
  is_test: z.boolean(),
  status: z.enum(["queued", ...DELIVERY_END_STATUSES]),
  reason: nullableText.meta({ description: "Por que não chegou, em português" }),
  attempts: z.int(),
  response_status: z.int().nullable(),
  response_body: nullableText,
  body: nullableText.meta({
    description: "Como foi enviado; vazio antes da primeira tentativa e após 30 dias",
  }),
  created_at: moment,
  next_try_at: maybeMoment,
  is_cleared: z.boolean(),
});

/** The fields of a new webhook. */
export const newWebhookFields = z.object({
  name: z.string().max(60),
  url: z.string().max(2000).meta({ description: "Público, com https" }),
  form: z.enum(FORMS).default("standard"),
  events: events.meta({ description: "Ao menos um que o formato tenha" }),
  token: z
    .string()
    .max(200)
    .optional()
    .meta({ description: "Dos formatos Kiwify e Hotmart; sem ele geramos um" }),
  with_document: z.boolean().default(false).meta({ description: "Envia CPF ou CNPJ do comprador" }),
  scope: z.enum(["all", "some"]).default("all"),
  products: z.array(z.int()).default([]).meta({ description: "Os produtos, com scope some" }),
});
export const webhookFields = newWebhookFields.extend({
  is_active: z.boolean().optional().meta({ description: "Liga ou pausa; sem ele fica como está" }),
});

/** A change: all fields of its form, and whether it is active. */
export const webhookChange = z.intersection(webhookForm, z.object({ is_active: z.boolean().optional() }));
