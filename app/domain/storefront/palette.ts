import { CHECKOUT_DEFAULTS } from "#app/domain/storefront/checkout-settings.ts";
import { buttonInk, contrast, inkOn, luminance, readable } from "#app/domain/storefront/sanitize/contrast.ts";

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
  const own =
    fixed || colors.background_color.toLowerCase() !== CHECKOUT_DEFAULTS.background_color.toLowerCase();
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

/** Until the button has a colour of its own it wears the main one. */
function buttonOf({ primary_color, button_color }: SellerColors): string {
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  if (!button_color) return primary_color;
  const isOwn =
    !same(button_color, CHECKOUT_DEFAULTS.button_color) ||
    same(primary_color, CHECKOUT_DEFAULTS.primary_color);
  return isOwn ? button_color : primary_color;
}

function rules(colors: SellerColors, card: string, ground: string | null): string {
  const buy = buttonOf(colors);
  const badge = colors.discount_badge_color ?? CHECKOUT_DEFAULTS.discount_badge_color;
  const variables: Record<string, string | null> = {
    "color-base-200": ground,
    "color-primary": readable(colors.primary_color, card),
    "color-primary-content": inkOn(readable(colors.primary_color, card)),
    // On the ground, not on a card.
    link: ground ? readable(colors.primary_color, ground) : null,
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
