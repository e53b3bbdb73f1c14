import {
  CHECKOUT_DEFAULTS,
  type CheckoutSettings,
  mergeCheckoutSettings,
} from "#app/domain/storefront/checkout-settings.ts";
import { buttonInk, contrast, inkOn, luminance, readable } from "#app/domain/storefront/sanitize/contrast.ts";

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

/** What the document needs to wear a seller's colours: the style rules, and the scheme where their ground decides it. */
export type Palette = { css: string; scheme: "claro" | "escuro" | null };

/** What the cards of a light page are made of. */
export const LIGHT_CARD = "#ffffff";
const DARK_CARD = "#1b2029";

/**
 * A seller's colours as the theme's variables. Text in a seller's colour is moved towards black or white until it can be
 * read (WCAG AA, 4.5:1). A ground of their own fixes light or dark, and so do colours they wrote elsewhere, which were chosen
 * for that ground; without either the device's wish is followed.
 */
export function palette(colors: SellerColors, fixed = false): Palette {
  const own = fixed || isOwn(colors.background_color, CHECKOUT_DEFAULTS.background_color);
  if (!own) {
    const light = rules(colors, LIGHT_CARD, colors.background_color);
    const dark = rules(colors, DARK_CARD, null);
    return {
      css: `@media (prefers-color-scheme:light){:root{${light}}}@media (prefers-color-scheme:dark){:root{${dark}}}`,
      scheme: null,
    };
  }
  const dark = luminance(colors.background_color) < 0.18;
  return {
    css: `:root{${rules(colors, dark ? DARK_CARD : LIGHT_CARD, colors.background_color)}}`,
    scheme: dark ? "escuro" : "claro",
  };
}

/**
 * The colours of what comes after the checkout: the thank-you page's, and the checkout's until that page's main colour is
 * its seller's own. A purchase has one colour for what is to be done next.
 */
export function colorsAfter(thankYou: ThankYouSettings, checkout: CheckoutSettings): SellerColors {
  const { background_color, primary_color } = thankYou;
  const { discount_badge_color, promotion_text_color } = checkout;
  const main = isOwn(primary_color, THANK_YOU_DEFAULTS.primary_color)
    ? { primary_color, button_color: primary_color }
    : { primary_color: checkout.primary_color, button_color: checkout.button_color };
  return { ...main, background_color, discount_badge_color, promotion_text_color };
}

/** The colours of the pay button of stored checkout settings, for mails; `#rrggbb`. */
export function buttonColors(stored: unknown): { button_color: string; button_text_color: string } {
  const { buy } = actionOf(mergeCheckoutSettings(stored));
  return { button_color: buy, button_text_color: buttonInk(buy) };
}

/** Main colour and button wear the same until a seller has chosen for each: the one that was chosen, else the button's. */
function actionOf({ primary_color, button_color = CHECKOUT_DEFAULTS.button_color }: SellerColors) {
  const hasMain = isOwn(primary_color, CHECKOUT_DEFAULTS.primary_color);
  const hasButton = isOwn(button_color, CHECKOUT_DEFAULTS.button_color);
  const buy = hasMain && !hasButton ? primary_color : button_color;
  return { main: hasMain ? primary_color : buy, buy };
}

function isOwn(color: string, byDefault: string): boolean {
  return color.toLowerCase() !== byDefault.toLowerCase();
}

function rules(colors: SellerColors, card: string, ground: string | null): string {
  const { main, buy } = actionOf(colors);
  const badge = colors.discount_badge_color ?? CHECKOUT_DEFAULTS.discount_badge_color;
  const variables: Record<string, string | null> = {
    "color-base-200": ground,
    "color-primary": readable(main, card),
    "color-primary-content": inkOn(readable(main, card)),
    // On the ground, not on a card.
    link: ground ? readable(main, ground) : null,
    // A dark heading on a dark card would end as grey: there the page's own ink is better.
    heading:
      colors.secondary_color && contrast(colors.secondary_color, card) >= 4.5 ? colors.secondary_color : null,
    "on-ground": ground ? inkOn(ground) : null,
    buy,
    "buy-content": buttonInk(buy),
    badge,
    "badge-content": inkOn(badge),
    promo: readable(colors.promotion_text_color ?? CHECKOUT_DEFAULTS.promotion_text_color, card),
  };
  return Object.entries(variables)
    .flatMap(([name, value]) => (value ? [`--${name}:${value}`] : []))
    .join(";");
}
