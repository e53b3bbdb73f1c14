import type { Checkout } from "#app/domain/storefront/find-checkout.server.ts";
import { palette } from "#app/domain/storefront/palette.ts";
import { sanitizeCss } from "#app/domain/storefront/sanitize/seller-css.server.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";

/** A seller's look, made harmless: HTML for above and below, rules to inline, and the scheme where their colours fix it. */
export type Dress = {
  headerHtml: string;
  footerHtml: string;
  css: string[];
  scheme: "claro" | "escuro" | null;
};

/** A seller's own colour for a text or what is behind it. */
const COLOURED = /[{;](color|background)/;

/** What a checkout wears. Done when a page is made, so that a stricter rule holds for what was saved before it. */
export function dressCheckout({ settings }: Pick<Checkout, "settings">): Dress {
  const header = sanitizeHtml(settings.custom_header, "h");
  const footer = sanitizeHtml(settings.custom_footer, "f");
  const rules = header.css + footer.css + sanitizeCss(settings.custom_css);
  const { css, scheme } = palette(settings, COLOURED.test(rules) && !rules.includes("prefers-color-scheme"));
  return {
    headerHtml: header.html,
    footerHtml: footer.html,
    css: [css, rules],
    scheme,
  };
}
