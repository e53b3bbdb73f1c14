import { z } from "zod";
import { DELIVERY_EVENTS, PIXEL_KINDS } from "#app/db/schema/lists.ts";
import { DEDUPES_EVENTS, EVENTS_OF_PIXEL, PIXEL_ID } from "#app/domain/delivery/pixel/settings.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { cleanPasted } from "#app/kit/pasted.ts";

/** A list as forms post it: nothing, one value, or several. */
const list = <T extends z.ZodType>(of: T) => z.array(of).max(5000).default([]);

/** A pixel's form. The token may be the mask that was shown, and then stays as it is. */
export const pixelForm = z
  .object({
    kind: z.enum(PIXEL_KINDS),
    name: z
      .string({ error: "Dê um nome ao pixel" })
      .transform((value) => cleanLine(value).trim())
      .pipe(z.string().min(1, "Dê um nome ao pixel").max(60, "Até 60 caracteres")),
    pixel_id: z
      .string({ error: "Informe o código do pixel" })
      .transform((value) => cleanPasted(value))
      .pipe(z.string().min(1, "Informe o código do pixel").max(40, "Até 40 caracteres")),
    token: z
      .string({ error: "Informe o token de acesso" })
      .transform((value) => cleanPasted(value))
      .pipe(z.string().min(1, "Informe o token de acesso").max(500, "Até 500 caracteres")),
    events: list(z.enum(DELIVERY_EVENTS)),
    counts_pix: z.boolean().default(false),
    scope: z.enum(["all", "some"]).default("all"),
    products: list(z.coerce.number().int().positive()),
  })
  .transform((form) => ({
    ...form,
    events: form.events.filter((one) => EVENTS_OF_PIXEL[form.kind].includes(one)),
    counts_pix: form.counts_pix && DEDUPES_EVENTS[form.kind],
  }))
  .superRefine((form, context) => {
    const addIssue = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    const { shape, example } = PIXEL_ID[form.kind];
    if (!shape.test(form.pixel_id))
      addIssue("pixel_id", `Não parece um código deste serviço, como ${example}`);
    if (form.events.length === 0) addIssue("events", "Escolha ao menos um evento");
    if (form.counts_pix && !form.events.includes("pix.generated"))
      addIssue("events", "Para contar o PIX gerado como compra, marque também PIX gerado");
    if (form.scope === "some" && form.products.length === 0)
      addIssue("products", "Escolha ao menos um produto");
  });
export type PixelFields = z.output<typeof pixelForm>;
