/**
 * Parts of the checkout a seller may style by name, and their maximal heights once they do. None contains a price, a
 * field, the consent notice or the pay button. The heights fit the longest name and description at their default size.
 */
const MAX_HEIGHTS = {
  "ck-brand": "10rem",
  "ck-banner": "20rem",
  "ck-countdown": "6rem",
  "ck-product-name": "13rem",
  "ck-product-description": "9rem",
  "ck-bumps-title": "6rem",
  "ck-bumps-subtitle": "7rem",
  "ck-badges": "12rem",
};

const SELECTORS = Object.keys(MAX_HEIGHTS).map((hook) => `.${hook}`);

/** Whether a class names a part that a seller may style. */
export function isPageHook(name: string): boolean {
  return Object.hasOwn(MAX_HEIGHTS, name);
}

/**
 * Bounds that hold however a browser interprets a seller's rules: no hook is wider than its container or higher than
 * its limit, and nothing is visible outside it. The layer comes after `seller`, so these rules win. All hooks together
 * can push the form down by at most the sum of the heights.
 */
export const HOOK_BOUNDS = `@layer kept{${SELECTORS.join()}{min-width:0;max-width:100%;contain:layout paint}${Object.entries(
  MAX_HEIGHTS,
)
  .map(([hook, height]) => `.${hook}{max-height:${height}}`)
  .join("")}}`;

/** On a seller's background the footer (seller and contact) keeps the page's own. */
export const FOOTER_BACKGROUND =
  "@layer kept{.foot{background:var(--color-base-200);border-radius:var(--radius-box)}}";

/**
 * What gets the font a seller sets for the page: only their own texts. Prices, labels, the consent notice and the
 * button are outside and inherit nothing.
 */
export const FONT_SELECTORS = [...SELECTORS, ".zone"].join();
