import { z } from "zod";
import { listOf } from "#app/domain/delivery/destination-fields.server.ts";
import { memberFields } from "#app/domain/delivery/member-area/member-kind.server.ts";

/** More classes than any one product leads to. */
const MAX_CLASSES = 20;
const NO_NUMBERS = "Use os números das turmas, separados por vírgula";

/** The classes that each item leads to, as numbers with commas between them. */
export const memberkitForm = z.object({
  kind: z.literal("memberkit"),
  ...memberFields,
  classes: listOf(
    z.object({
      item: z.string().regex(/^((bump|offer)-)?\d{1,15}$/),
      ids: z
        .string()
        .max(300, "Até 300 caracteres")
        .default("")
        .transform((typed) => [...new Set(typed.split(/[\s,;]+/).filter(Boolean))])
        .refine((ids) => ids.every((id) => /^\d{1,12}$/.test(id)), NO_NUMBERS)
        .refine((ids) => ids.length <= MAX_CLASSES, `Até ${MAX_CLASSES} turmas`)
        .transform((ids) => ids.map(Number)),
    }),
  ),
});
export type MemberkitFields = z.output<typeof memberkitForm>;
