import { renderLinesTable } from "#app/domain/mail/message/render-lines-table.server.ts";
import { hasAccessLink } from "#app/domain/mail/template/access-button.server.ts";
import { DEFAULT_TEMPLATE, type Template } from "#app/domain/mail/template/default-template.server.ts";
import { findHiddenPlaceholders } from "#app/domain/mail/template/fill-html.server.ts";
import type { Brand } from "#app/domain/mail/template/find-brand.server.ts";
import {
  BODY_PLACEHOLDERS,
  findUnknownPlaceholders,
  type PlaceholderValues,
  TemplateError,
} from "#app/domain/mail/template/placeholders.ts";
import { type FilledTemplate, renderTemplate } from "#app/domain/mail/template/render-template.server.ts";
import { withFooter, withStoreFooter } from "#app/domain/storefront/store/store-mail-footer.server.ts";
import { withdrawalText } from "#app/domain/storefront/withdrawal-text.ts";
import { formatMoney } from "#app/kit/money.ts";

/**
 * A template as a buyer would get it, with example data, its unknown placeholders and the hidden ones. `isDefault`: it fails, so the
 * buyer would get ours. `hasAccessLink`: it links to the purchase by itself. `template`: its HTML with placeholders.
 */
export type TemplatePreview = FilledTemplate & {
  unknown: string[];
  hidden: string[];
  isDefault: boolean;
  hasAccessLink: boolean;
  template: string;
};

const EXAMPLE_LINES = [{ name: BODY_PLACEHOLDERS.product_name, amount: formatMoney(9700) }];

/** Fills in a template with example data, and with its seller's brand, guarantee and store. */
export function previewTemplate(
  template: Template,
  { store = null, guaranteeDays, ...brand }: Brand,
): TemplatePreview {
  const values = {
    ...BODY_PLACEHOLDERS,
    ...brand,
    brand_name: brand.brand_name || BODY_PLACEHOLDERS.brand_name,
  };
  const withdrawal = guaranteeDays === undefined ? null : withdrawalText(new Date(), guaranteeDays, []);
  return {
    ...withStoreFooter(withFooter(renderOrDefault(template, values), withdrawal), store),
    hasAccessLink: hasAccessLink(template.htmlContent),
    template: template.htmlContent,
    hidden: findHiddenPlaceholders(template.htmlContent),
    unknown: [
      ...new Set([
        ...findUnknownPlaceholders(template.senderName, "sender"),
        ...findUnknownPlaceholders(template.subject, "subject"),
        ...findUnknownPlaceholders(template.htmlContent, "body"),
      ]),
    ],
  };
}

function renderOrDefault(
  template: Template,
  values: PlaceholderValues,
): FilledTemplate & { isDefault: boolean } {
  const lines = renderLinesTable(EXAMPLE_LINES, formatMoney(9700));
  try {
    return { ...renderTemplate(template, values, lines), isDefault: false };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { ...renderTemplate(DEFAULT_TEMPLATE, values, lines), isDefault: true };
  }
}
