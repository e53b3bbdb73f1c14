import { isIntegerBetween, isOneOf, mergeSettings } from "#app/domain/storefront/merge-settings.ts";
/** Styles of bumps, total and button. Source: spec, seller administration, entity "Checkout customisation". */
export const BUMP_STYLES = ["card", "banner", "highlight"] as const;
export const TOTAL_STYLES = ["standard", "highlight", "gradient"] as const;
export const BUTTON_STYLES = ["standard", "gradient", "glow"] as const;

/** The legal right of withdrawal (CDC, art. 49): no guarantee is shorter. */
export const MIN_GUARANTEE_DAYS = 7;

export const MAX_PRICE_GRACE_MINUTES = 60;

export const MAX_PIX_DISCOUNT = 50;

/** A seller's checkout settings as stored and, by the same names, in the API. Colours are `#rrggbb`. */
export type CheckoutSettings = {
  brand_name: string;
  brand_logo_url: string;
  terms_url: string;
  privacy_url: string;
  custom_header: string;
  custom_footer: string;
  custom_css: string;
  primary_color: string;
  secondary_color: string;
  background_color: string;
  discount_badge_color: string;
  promotion_text_color: string;
  require_name: boolean;
  require_email: boolean;
  require_email_confirmation: boolean;
  require_document: boolean;
  require_phone: boolean;
  enable_pix: boolean;
  /** Whether cards are offered where the seller's account takes them. */
  enable_card: boolean;
  /** What buyers who pay by PIX get off, in percent, where the checkout offers cards, too. */
  pix_discount_percent: number;
  order_bump_title: string;
  order_bump_subtitle: string;
  order_bump_style: (typeof BUMP_STYLES)[number];
  total_section_style: (typeof TOTAL_STYLES)[number];
  button_text: string;
  button_style: (typeof BUTTON_STYLES)[number];
  button_color: string;
  trust_badges_enabled: boolean;
  urgency_timer_enabled: boolean;
  urgency_timer_minutes: number;
  /** Shown on checkout and thank-you page; see `MIN_GUARANTEE_DAYS`. */
  guarantee_days: number;
  /** How long after the end of an offer those who saw its price still get it. */
  price_grace_minutes: number;
  /** How buyers reach the seller (e-mail, phone or address); empty shows none, never the account's e-mail. */
  support_contact: string;
};

/** Settings of a seller who never changed them. Source: spec, same entity. */
export const CHECKOUT_DEFAULTS: CheckoutSettings = {
  brand_name: "",
  brand_logo_url: "",
  terms_url: "",
  privacy_url: "",
  custom_header: "",
  custom_footer: "",
  custom_css: "",
  primary_color: "#3B82F6",
  secondary_color: "#1F2937",
  background_color: "#F9FAFB",
  discount_badge_color: "#DC2626",
  promotion_text_color: "#059669",
  require_name: true,
  require_email: true,
  require_email_confirmation: false,
  require_document: true,
  require_phone: true,
  enable_pix: true,
  enable_card: true,
  pix_discount_percent: 0,
  order_bump_title: "Ofertas Especiais",
  order_bump_subtitle: "Não perca essas ofertas limitadas!",
  order_bump_style: "card",
  total_section_style: "standard",
  button_text: "Comprar Agora",
  button_style: "standard",
  button_color: "#059669",
  trust_badges_enabled: true,
  urgency_timer_enabled: false,
  urgency_timer_minutes: 30,
  guarantee_days: 30,
  price_grace_minutes: 0,
  support_contact: "",
};

/** The button's text if the seller left it empty. */
const BUTTON_TEXT = "FINALIZAR COMPRA SEGURA";
/** Where nothing can cost anything, in place of both: nobody buys anything there. */
const FREE_BUTTON_TEXT = "Receber agora";

/** The text of a checkout's button: the seller's own wherever there is one. */
export function buttonText(
  { button_text: own }: Pick<CheckoutSettings, "button_text">,
  isFree: boolean,
): string {
  if (isFree && (!own || own === CHECKOUT_DEFAULTS.button_text)) return FREE_BUTTON_TEXT;
  return own || BUTTON_TEXT;
}

/**
 * Stored settings over the defaults. A value that does not fit its field, also from an older version, becomes the
 * default.
 */
export function mergeCheckoutSettings(stored: unknown): CheckoutSettings {
  return mergeSettings(CHECKOUT_DEFAULTS, stored, {
    order_bump_style: isOneOf(BUMP_STYLES),
    total_section_style: isOneOf(TOTAL_STYLES),
    button_style: isOneOf(BUTTON_STYLES),
    urgency_timer_minutes: isIntegerBetween(5, 120),
    guarantee_days: isIntegerBetween(MIN_GUARANTEE_DAYS, 365),
    price_grace_minutes: isIntegerBetween(0, MAX_PRICE_GRACE_MINUTES),
    pix_discount_percent: isIntegerBetween(0, MAX_PIX_DISCOUNT),
  });
}
