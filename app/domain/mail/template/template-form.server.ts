import { z } from "zod";
import type { Template } from "#app/domain/mail/template/default-template.server.ts";
import { renderSimpleTemplate } from "#app/domain/mail/template/simple-template.server.ts";
import { cleanMail } from "#app/kit/buyer-fields.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";

const MAX_HTML = 200_000;
const MAX_TEXT = 10_000;

const lineField = (label: string, max: number) =>
  z
    .string({ error: `${label} é obrigatório` })
    .transform((text) => cleanLine(text).replace(/\s+/g, " ").trim())
    .pipe(z.string().min(1, `${label} é obrigatório`).max(max, `${label} deve ter até ${max} caracteres`));

const textField = (label: string, max: number) =>
  z
    .string({ error: `${label} é obrigatório` })
    .transform((typed) => typed.replace(/\r\n?/g, "\n"))
    .pipe(
      z
        .string()
        .refine((typed) => typed.trim() !== "", `${label} é obrigatório`)
        .max(max, `${label} deve ter até ${max.toLocaleString("pt-BR")} caracteres`),
    );

const addressField = z
  .string({ error: "E-mail do remetente deve ser um texto" })
  .overwrite(cleanMail)
  .refine((text) => text === "" || isMailAddress(text), "E-mail do remetente inválido");

const ENVELOPE = {
  sender_name: lineField("Nome do remetente", 100),
  sender_email: addressField.default(""),
  subject: lineField("Assunto", 200),
};

const templateForm = z.object({ ...ENVELOPE, html_content: textField("Conteúdo", MAX_HTML) });

/** The purchase mail's template as JSON, whole or in part: what is not sent stays as it is. */
export const templateBody = templateForm.extend({ sender_email: addressField }).partial();
export type TemplateBody = z.output<typeof templateBody>;

/** The same as its page posts it: title, text and button, or the HTML itself. */
export const pageTemplateForm = z.discriminatedUnion("editor", [
  templateForm.extend({ editor: z.literal("html") }),
  z.object({
    ...ENVELOPE,
    editor: z.literal("simple"),
    simple_title: lineField("Título", 100),
    simple_text: textField("Texto", MAX_TEXT),
    simple_button: lineField("Texto do botão", 60),
  }),
]);

/** A posted form without an editor contains HTML. */
export function withEditor(form: FormData): FormData {
  if (form.get("editor") !== "simple") form.set("editor", "html");
  return form;
}

type Fields = z.output<typeof pageTemplateForm>;

/** A saved template with what a program sent over it. The same HTML is still made from the same title, text and button. */
export function mergeTemplate(saved: Template, body: TemplateBody): Template {
  const { sender_name, sender_email, subject, html_content } = body;
  const isSameHtml = html_content === undefined || html_content === saved.htmlContent;
  return {
    senderName: sender_name ?? saved.senderName,
    senderEmail: sender_email ?? saved.senderEmail,
    subject: subject ?? saved.subject,
    htmlContent: html_content ?? saved.htmlContent,
    simple: isSameHtml ? saved.simple : null,
  };
}

/** Converts a form to a template. */
export function toTemplate(fields: Fields): Template {
  return {
    senderName: fields.sender_name,
    senderEmail: fields.sender_email,
    subject: fields.subject,
    ...toContent(fields),
  };
}

function toContent(fields: Fields): Pick<Template, "htmlContent" | "simple"> {
  if ("html_content" in fields) return { htmlContent: fields.html_content, simple: null };
  const simple = { title: fields.simple_title, text: fields.simple_text, button: fields.simple_button };
  return { htmlContent: renderSimpleTemplate(simple), simple };
}
