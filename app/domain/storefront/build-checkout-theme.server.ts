import { buildPalette, hasOwnColors } from "#app/domain/storefront/build-palette.ts";
import type { Checkout } from "#app/domain/storefront/find-storefront.server.ts";
import { sanitizeCss } from "#app/domain/storefront/sanitize/seller-css.server.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";

/**
 * A seller's sanitized customization: HTML for the top and bottom, inline style rules, and the scheme if their colours
 * fix it.
 */
export type CheckoutTheme = {
  headerHtml: string;
  footerHtml: string;
  css: string[];
  scheme: "claro" | "escuro" | null;
};

/**
 * The theme of a checkout. Sanitized when a page is rendered, so that a stricter rule applies to older settings too.
 */
export function buildCheckoutTheme({ settings }: Pick<Checkout, "settings">): CheckoutTheme {
  const header = sanitizeHtml(settings.custom_header, "h");
  const footer = sanitizeHtml(settings.custom_footer, "f");
  const rules = header.css + footer.css + sanitizeCss(settings.custom_css);
  const { css, scheme } = buildPalette(settings, hasOwnColors(rules));
  return {
    headerHtml: header.html,
    footerHtml: footer.html,
    css: [css, rules],
    scheme,
  };
}
