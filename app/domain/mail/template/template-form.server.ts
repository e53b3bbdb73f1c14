import { z } from "zod";
import { cleanLine } from "#app/kit/clean-text.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";

const MAX_HTML = 200_000;

const line = (label: string, max: number) =>
  z
    .string({ error: `${label} é obrigatório` })
    .transform((text) => cleanLine(text).replace(/\s+/g, " ").trim())
    .pipe(z.string().min(1, `${label} é obrigatório`).max(max, `${label} deve ter até ${max} caracteres`));

const address = z
  .string({ error: "E-mail do remetente deve ser um texto" })
  .trim()
  .toLowerCase()
  .refine((text) => text === "" || isMailAddress(text), "E-mail do remetente inválido")
  .default("");

/** The purchase mail's template; names are the spec's. */
export const templateForm = z.object({
  sender_name: line("Nome do remetente", 100),
  sender_email: address,
  subject: line("Assunto", 200),
  html_content: z
    .string({ error: "Conteúdo é obrigatório" })
    .transform((html) => html.replace(/\r\n?/g, "\n"))
    .pipe(
      z
        .string()
        .refine((html) => html.trim() !== "", "Conteúdo é obrigatório")
        .max(MAX_HTML, "Conteúdo deve ter até 200.000 caracteres"),
    ),
});

export type TemplateFields = z.output<typeof templateForm>;

/** The same as the verbs take it. */
export function toTemplate(fields: TemplateFields) {
  return {
    senderName: fields.sender_name,
    senderEmail: fields.sender_email,
    subject: fields.subject,
    htmlContent: fields.html_content,
  };
}
