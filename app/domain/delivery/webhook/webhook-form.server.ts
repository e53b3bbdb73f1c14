import { z } from "zod";
import {
  choiceFields,
  nameField,
  pastedField,
  requireProducts,
  requireThat,
} from "#app/domain/delivery/destination-fields.server.ts";
import { EVENTS_OF_FORM, FORMS } from "#app/domain/delivery/webhook/settings.ts";
import { cleanPasted } from "#app/kit/pasted.ts";

/** A webhook's form. The token may be the mask that was shown, and then stays as it is. */
export const webhookForm = z
  .object({
    name: nameField("Dê um nome ao webhook"),
    url: pastedField("Informe o endereço", 2000),
    form: z.enum(FORMS).default("standard"),
    token: z
      .string()
      .max(200, "Até 200 caracteres")
      .nullish()
      .transform((value) => cleanPasted(value ?? "")),
    with_document: z.boolean().default(false),
    ...choiceFields,
  })
  .transform((form) => ({
    ...form,
    events: form.events.filter((one) => EVENTS_OF_FORM[form.form].includes(one)),
  }))
  .superRefine((form, context) => {
    requireThat(context, form.events.length > 0, "events", "Escolha ao menos um evento deste formato");
    requireProducts(context, form);
  });
export type WebhookFields = z.output<typeof webhookForm>;
