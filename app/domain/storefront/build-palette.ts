import {
  CHECKOUT_DEFAULTS,
  type CheckoutSettings,
  mergeCheckoutSettings,
} from "#app/domain/storefront/checkout-settings.ts";
import {
  buttonTextColor,
  contrast,
  luminance,
  nearestReadable,
  textColorOn,
} from "#app/domain/storefront/sanitize/contrast.ts";

import { THANK_YOU_DEFAULTS, type ThankYouSettings } from "#app/domain/storefront/thank-you-settings.ts";

/** The colours a seller chooses; `#rrggbb`. */
export type SellerColors = {
  primary_color: string;
  background_color: string;
  secondary_color?: string;
  button_color?: string;
  discount_badge_color?: string;
  promotion_text_color?: string;
};

/** Style rules for a seller's colours, and the scheme if their background fixes it. */
export type Palette = { css: string; scheme: "claro" | "escuro" | null };

/** The background of cards on a light page. */
const LIGHT_CARD = "#ffffff";
const DARK_CARD = "#1b2029";

/**
 * A seller's colours as the theme's variables. Text colours are moved towards black or white until they are readable
 * (WCAG AA, 4.5:1). A background of their own fixes light or dark, and so do colours in their HTML or CSS, which were
 * chosen for that background; without either the device's setting applies.
 */
export function buildPalette(colors: SellerColors, hasFixedColors = false): Palette {
  const isFixed =
    hasFixedColors || isCustomColor(colors.background_color, CHECKOUT_DEFAULTS.background_color);
  if (!isFixed) {
    const light = cssVariables(colors, LIGHT_CARD, colors.background_color);
    const dark = cssVariables(colors, DARK_CARD, null);
    return {
      css: `@media (prefers-color-scheme:light){:root{${light}}}@media (prefers-color-scheme:dark){:root{${dark}}}`,
      scheme: null,
    };
  }
  const card = cardOn(colors.background_color);
  return {
    css: `:root{${cssVariables(colors, card, colors.background_color)}}`,
    scheme: card === DARK_CARD ? "escuro" : "claro",
  };
}

/** A seller's own colour for text or background. */
const SETS_COLOR = /[{;](color|background)/;

/** Whether a seller's rules have colours that were chosen for a light page or for a dark one. */
export function hasOwnColors(rules: string): boolean {
  return SETS_COLOR.test(rules) && !rules.includes("prefers-color-scheme");
}

/** The styles and the scheme of a page in our colours with a seller's texts, by the rules of their `style` attributes. */
export function textPalette(rules: string): { css: string[]; scheme: Palette["scheme"] } {
  if (!hasOwnColors(rules)) return { css: [rules], scheme: null };
  const { css, scheme } = buildPalette(CHECKOUT_DEFAULTS, true);
  return { css: [css, rules], scheme };
}

/** The background of cards on a page with this background: a dark one has dark cards. */
export function cardOn(background: string): string {
  return luminance(background) < 0.18 ? DARK_CARD : LIGHT_CARD;
}

/**
 * The colours of the pages after the checkout: the thank-you page's, or the checkout's until its main colour was
 * changed. A purchase has one colour for its main actions.
 */
export function thankYouColors(thankYou: ThankYouSettings, checkout: CheckoutSettings): SellerColors {
  const { background_color, primary_color } = thankYou;
  const { discount_badge_color, promotion_text_color } = checkout;
  const main = isCustomColor(primary_color, THANK_YOU_DEFAULTS.primary_color)
    ? { primary_color, button_color: primary_color }
    : { primary_color: checkout.primary_color, button_color: checkout.button_color };
  return { ...main, background_color, discount_badge_color, promotion_text_color };
}

/** The colours of the pay button of stored checkout settings, for mails; `#rrggbb`. */
export function buttonColors(stored: unknown): { button_color: string; button_text_color: string } {
  const { buy } = actionColors(mergeCheckoutSettings(stored));
  return { button_color: buy, button_text_color: buttonTextColor(buy) };
}

/** Main colour and button share one colour until a seller has set both: the one that was set, else the button's. */
function actionColors({ primary_color, button_color = CHECKOUT_DEFAULTS.button_color }: SellerColors) {
  const hasMain = isCustomColor(primary_color, CHECKOUT_DEFAULTS.primary_color);
  const hasButton = isCustomColor(button_color, CHECKOUT_DEFAULTS.button_color);
  const buy = hasMain && !hasButton ? primary_color : button_color;
  return { main: hasMain ? primary_color : buy, buy };
}

/** Whether a seller chose this colour: a default one may give way to another. */
export function isCustomColor(color: string, defaultColor: string): boolean {
  return color.toLowerCase() !== defaultColor.toLowerCase();
}

function cssVariables(colors: SellerColors, card: string, background: string | null): string {
  const { main, buy } = actionColors(colors);
  const badge = colors.discount_badge_color ?? CHECKOUT_DEFAULTS.discount_badge_color;
  const variables: Record<string, string | null> = {
    "color-base-200": background,
    "color-primary": nearestReadable(main, card),
    "color-primary-content": textColorOn(nearestReadable(main, card)),
    // Readable on the page's background, not on a card.
    link: background ? nearestReadable(main, background) : null,
    // A dark heading on a dark card would be moved to grey: the page's own text colour is better.
    heading:
      colors.secondary_color && contrast(colors.secondary_color, card) >= 4.5 ? colors.secondary_color : null,
    "on-ground": background ? textColorOn(background) : null,
    buy,
    "buy-content": buttonTextColor(buy),
    badge,
    "badge-content": textColorOn(badge),
    promo: nearestReadable(colors.promotion_text_color ?? CHECKOUT_DEFAULTS.promotion_text_color, card),
  };
  return Object.entries(variables)
    .flatMap(([name, value]) => (value ? [`--${name}:${value}`] : []))
    .join(";");
}
