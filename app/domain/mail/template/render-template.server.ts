import { renderParagraph } from "#app/domain/mail/message/layout.server.ts";
import { toTextPart } from "#app/domain/mail/message/to-text-part.ts";
import {
  appendAccessButton,
  appendToBody,
  hasAccessLink,
} from "#app/domain/mail/template/access-button.server.ts";
import type { Template } from "#app/domain/mail/template/default-template.server.ts";
import { fillHtml } from "#app/domain/mail/template/fill-html.server.ts";
import {
  fillSender,
  fillSubject,
  type PlaceholderValues,
  TemplateError,
} from "#app/domain/mail/template/placeholders.ts";

/** A filled-in template. */
export type FilledTemplate = { senderName: string; subject: string; html: string; text: string };

/**
 * Fills in a template; one without access to the purchase gets the button appended. `linesHtml` is trusted.
 * @param more appended below the seller's text
 * @throws TemplateError where it grows too long, or its access is not filled in (see `findHidden`): its buyer gets ours
 */
export function renderTemplate(
  template: Template,
  values: PlaceholderValues,
  linesHtml: string,
  more: string | null = null,
): FilledTemplate {
  const { htmlContent } = template;
  const filled = fillHtml(
    hasAccessLink(htmlContent) ? htmlContent : appendAccessButton(htmlContent),
    values,
    linesHtml,
  );
  const html = more === null ? filled : appendToBody(filled, renderParagraph(more));
  const text = toTextPart(html);
  if (!text.includes(values.product_file_url)) throw new TemplateError();
  return {
    senderName: fillSender(template.senderName, values),
    subject: fillSubject(template.subject, values),
    html,
    text,
  };
}
