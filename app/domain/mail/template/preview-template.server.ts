import { linesTable } from "#app/domain/mail/message/lines-table.server.ts";
import { bringsAccess } from "#app/domain/mail/template/access-button.server.ts";
import { DEFAULT_TEMPLATE, type Template } from "#app/domain/mail/template/default-template.server.ts";
import type { Brand } from "#app/domain/mail/template/find-brand.server.ts";
import {
  BODY_PLACEHOLDERS,
  TemplateError,
  unknownPlaceholders,
  type Values,
} from "#app/domain/mail/template/placeholders.ts";
import { type RenderedMail, renderTemplate } from "#app/domain/mail/template/render-template.server.ts";

/**
 * A template as a buyer would get it, with example data, and the placeholders that nothing would replace. `isOurs`: the
 * template makes no mail, so that the buyer would get ours. `hasAccess`: it leads to what was bought by itself.
 * `template`: its HTML before it was filled in.
 */
export type Preview = RenderedMail & {
  unknown: string[];
  isOurs: boolean;
  hasAccess: boolean;
  template: string;
};

const LINES = [{ name: BODY_PLACEHOLDERS.product_name, priceCents: 9700 }];

/** Fills in a template with example data, and with its seller's `brand`. */
export function previewTemplate(template: Template, brand: Brand): Preview {
  const values = {
    ...BODY_PLACEHOLDERS,
    ...brand,
    brand_name: brand.brand_name || BODY_PLACEHOLDERS.brand_name,
  };
  return {
    ...renderOrOurs(template, values),
    hasAccess: bringsAccess(template.htmlContent),
    template: template.htmlContent,
    unknown: [
      ...new Set([
        ...unknownPlaceholders(template.senderName, "sender"),
        ...unknownPlaceholders(template.subject, "subject"),
        ...unknownPlaceholders(template.htmlContent, "body"),
      ]),
    ],
  };
}

function renderOrOurs(template: Template, values: Values): RenderedMail & { isOurs: boolean } {
  const lines = linesTable(LINES, 9700);
  try {
    return { ...renderTemplate(template, values, lines), isOurs: false };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { ...renderTemplate(DEFAULT_TEMPLATE, values, lines), isOurs: true };
  }
}
