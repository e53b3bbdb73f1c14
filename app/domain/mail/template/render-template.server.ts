import { paragraph } from "#app/domain/mail/message/layout.server.ts";
import { textPart } from "#app/domain/mail/message/text-part.ts";
import { bringsAccess, withAccess, withBelow } from "#app/domain/mail/template/access-button.server.ts";
import type { Template } from "#app/domain/mail/template/default-template.server.ts";
import { fillHtml, fillSender, fillSubject, type Values } from "#app/domain/mail/template/placeholders.ts";

/** A template filled in: what leaves. */
export type RenderedMail = { senderName: string; subject: string; html: string; text: string };

/**
 * Fills in a template; one that leads nobody to what they bought gets the button below. `linesHtml` is trusted.
 * @param more what the seller's words cannot know, below them
 */
export function renderTemplate(
  template: Template,
  values: Values,
  linesHtml: string,
  more: string | null = null,
): RenderedMail {
  const { htmlContent } = template;
  const filled = fillHtml(
    bringsAccess(htmlContent) ? htmlContent : withAccess(htmlContent),
    values,
    linesHtml,
  );
  const html = more === null ? filled : withBelow(filled, paragraph(more));
  return {
    senderName: fillSender(template.senderName, values),
    subject: fillSubject(template.subject, values),
    html,
    text: textPart(html),
  };
}
