import { textPart } from "#app/domain/mail/message/text-part.ts";
import type { Template } from "#app/domain/mail/template/default-template.server.ts";
import { fillHtml, fillSender, fillSubject, type Values } from "#app/domain/mail/template/placeholders.ts";

/** A template filled in: what leaves. */
export type RenderedMail = { senderName: string; subject: string; html: string; text: string };

/** Fills in a template. `linesHtml` is trusted. */
export function renderTemplate(template: Template, values: Values, linesHtml: string): RenderedMail {
  const html = fillHtml(template.htmlContent, values, linesHtml);
  return {
    senderName: fillSender(template.senderName, values),
    subject: fillSubject(template.subject, values),
    html,
    text: textPart(html),
  };
}
