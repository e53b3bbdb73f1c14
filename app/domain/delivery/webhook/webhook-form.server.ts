import { z } from "zod";
import { DELIVERY_EVENTS } from "#app/db/schema/lists.ts";
import { EVENTS_OF_FORM, FORMS } from "#app/domain/delivery/webhook/settings.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { cleanPasted } from "#app/kit/pasted.ts";

/** A list as forms post it: nothing, one value, or several. */
const list = <T extends z.ZodType>(of: T) => z.array(of).max(5000).default([]);

/** A webhook's form. The token may be the mask that was shown, and then stays as it is. */
export const webhookForm = z
  .object({
    name: z
      .string({ error: "Dê um nome ao webhook" })
      .transform((value) => cleanLine(value).trim())
      .pipe(z.string().min(1, "Dê um nome ao webhook").max(60, "Até 60 caracteres")),
    url: z
      .string({ error: "Informe o endereço" })
      .transform((value) => cleanPasted(value))
      .pipe(z.string().min(1, "Informe o endereço").max(2000, "Até 2000 caracteres")),
    form: z.enum(FORMS).default("standard"),
    token: z
      .string()
      .max(200, "Até 200 caracteres")
      .nullish()
      .transform((value) => cleanPasted(value ?? "")),
    with_document: z.boolean().default(false),
    events: list(z.enum(DELIVERY_EVENTS)),
    scope: z.enum(["all", "some"]).default("all"),
    products: list(z.coerce.number().int().positive()),
  })
  .transform((form) => ({
    ...form,
    events: form.events.filter((one) => EVENTS_OF_FORM[form.form].includes(one)),
  }))
  .superRefine((form, context) => {
    if (form.events.length === 0)
      context.addIssue({
        code: "custom",
        path: ["events"],
        message: "Escolha ao menos um evento deste formato",
      });
    if (form.scope === "some" && form.products.length === 0)
      context.addIssue({ code: "custom", path: ["products"], message: "Escolha ao menos um produto" });
  });
export type WebhookFields = z.output<typeof webhookForm>;
