import type { Template } from "#app/domain/mail/default-template.server.ts";
import { linesTable } from "#app/domain/mail/lines-table.server.ts";
import { BODY_PLACEHOLDERS, unknownPlaceholders } from "#app/domain/mail/placeholders.ts";
import { type RenderedMail, renderTemplate } from "#app/domain/mail/render-template.server.ts";

/** A template as a buyer would get it, with example data, and the placeholders that nothing would replace. */
export type Preview = RenderedMail & { unknown: string[] };

const LINES = [{ name: BODY_PLACEHOLDERS.product_name, priceCents: 9700 }];

/** Fills in a template with example data; `brand` is the seller's own name. */
export function previewTemplate(template: Template, brand: string): Preview {
  const values = { ...BODY_PLACEHOLDERS, ...(brand ? { brand_name: brand } : {}) };
  return {
    ...renderTemplate(template, values, linesTable(LINES, 9700)),
    unknown: [
      ...new Set([
        ...unknownPlaceholders(template.senderName, "sender"),
        ...unknownPlaceholders(template.subject, "subject"),
        ...unknownPlaceholders(template.htmlContent, "body"),
      ]),
    ],
  };
}
