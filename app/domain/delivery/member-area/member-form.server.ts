import { z } from "zod";
import { MEMBER_KINDS } from "#app/db/schema/lists.ts";
import { AREA } from "#app/domain/delivery/member-area/settings.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { cleanPasted } from "#app/kit/pasted.ts";

/** A list as forms post it: nothing, one value, or several. */
const list = <T extends z.ZodType>(of: T) => z.array(of).max(5000).default([]);

/** More classes than any one product leads to. */
const MAX_CLASSES = 20;
const NO_NUMBERS = "Use os números das turmas, separados por vírgula";

/** A member area's form. The token may be the mask that was shown, and then stays as it is. */
export const memberForm = z
  .object({
    kind: z.enum(MEMBER_KINDS),
    name: z
      .string({ error: "Dê um nome à área" })
      .transform((value) => cleanLine(value).trim())
      .pipe(z.string().min(1, "Dê um nome à área").max(60, "Até 60 caracteres")),
    area: z.string().max(300, "Até 300 caracteres").default("").transform(areaName),
    token: z
      .string({ error: "Informe a chave" })
      .transform((value) => cleanPasted(value))
      .pipe(z.string().min(1, "Informe a chave").max(500, "Até 500 caracteres")),
    with_document: z.boolean().default(false),
    revokes: z.boolean().default(false),
    scope: z.enum(["all", "some"]).default("all"),
    products: list(z.coerce.number().int().positive()),
    classes: list(
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
  })
  .superRefine((form, context) => {
    const addIssue = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (form.kind !== "cademi") return;
    if (!AREA.test(form.area)) addIssue("area", "Informe o começo do endereço, como minha-escola");
    if (form.scope === "some" && form.products.length === 0)
      addIssue("products", "Escolha ao menos um produto");
  });
export type MemberFields = z.output<typeof memberForm>;

/** The area's name in a pasted address: `https://minha-escola.cademi.com.br/area` → `minha-escola`. */
function areaName(typed: string): string {
  const host = cleanPasted(typed)
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .split(/[/?#]/)[0]!;
  return host.endsWith(".cademi.com.br") ? host.slice(0, -".cademi.com.br".length) : host;
}
