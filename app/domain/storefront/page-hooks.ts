/**
 * Parts of the checkout a seller may style by name, and the most each may be high once they do. None of them holds a price,
 * a field, the notice or the pay button. The heights leave room for the longest name and description in their plain size.
 */
const HEIGHTS = {
  "ck-brand": "10rem",
  "ck-banner": "20rem",
  "ck-countdown": "6rem",
  "ck-product-name": "13rem",
  "ck-product-description": "9rem",
  "ck-bumps-title": "6rem",
  "ck-bumps-subtitle": "7rem",
  "ck-badges": "12rem",
};

const SELECTORS = Object.keys(HEIGHTS).map((hook) => `.${hook}`);

/** Whether a class names a part that a seller may style. */
export function isHook(name: string): boolean {
  return Object.hasOwn(HEIGHTS, name);
}

/**
 * Bounds that hold whatever a browser makes of a seller's rules: no hook is wider than its place or higher than its height,
 * and nothing of it is seen outside it. The layer comes after `seller`, so these win. What all hooks together can push the
 * form down is at most the sum of the heights.
 */
export const HOOK_BOUNDS = `@layer kept{${SELECTORS.join()}{min-width:0;max-width:100%;contain:layout paint}${Object.entries(
  HEIGHTS,
)
  .map(([hook, height]) => `.${hook}{max-height:${height}}`)
  .join("")}}`;

/** On a ground of the seller's the last lines, who sells and how to reach them, stand on the page's own. */
export const FOOT_GROUND =
  "@layer kept{.foot{background:var(--color-base-200);border-radius:var(--radius-box)}}";

/**
 * Who wears the font a seller sets for the page: their own words alone. Prices, labels, the notice and the button stand
 * outside, so they inherit nothing.
 */
export const FONT_WEARERS = [...SELECTORS, ".zone"].join();
