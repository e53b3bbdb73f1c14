import { z } from "zod";
import { flag } from "#app/domain/catalog/fields.server.ts";
import {
  BUMP_STYLES,
  BUTTON_STYLES,
  CHECKOUT_DEFAULTS,
  type CheckoutSettings,
  SHORTEST_GUARANTEE_DAYS,
  TOTAL_STYLES,
} from "#app/domain/storefront/checkout-settings.ts";
import {
  setChoice,
  setColor,
  setLine,
  setNumber,
  setText,
  setUrl,
} from "#app/domain/storefront/customization-fields.server.ts";
import { CHECKOUT_LABELS, THANK_YOU_LABELS } from "#app/domain/storefront/customization-labels.ts";
import {
  REDIRECT_SECONDS,
  THANK_YOU_DEFAULTS,
  type ThankYouSettings,
} from "#app/domain/storefront/thank-you-settings.ts";

/** Characters a seller's HTML or CSS may have: plenty, and the page stays light. */
const LONG = 20_000;

const label = CHECKOUT_LABELS;
const color = (name: ColorName) => setColor(label[name], CHECKOUT_DEFAULTS[name]);
type ColorName = keyof CheckoutSettings & `${string}_color`;

/** A seller's checkout settings, from its form or as JSON: one set of rules. A box that is not sent is not ticked. */
export const checkoutCustomizationForm = z
  .object({
    brand_name: setLine(label.brand_name, 80),
    brand_logo_url: setUrl(label.brand_logo_url, "picture"),
    terms_url: setUrl(label.terms_url),
    privacy_url: setUrl(label.privacy_url),
    custom_header: setText(label.custom_header, LONG),
    custom_footer: setText(label.custom_footer, LONG),
    custom_css: setText(label.custom_css, LONG),
    primary_color: color("primary_color"),
    secondary_color: color("secondary_color"),
    background_color: color("background_color"),
    discount_badge_color: color("discount_badge_color"),
    promotion_text_color: color("promotion_text_color"),
    button_color: color("button_color"),
    require_name: flag(label.require_name, false),
    require_email: flag(label.require_email, false),
    require_email_confirmation: flag(label.require_email_confirmation, false),
    require_document: flag(label.require_document, false),
    require_phone: flag(label.require_phone, false),
    enable_pix: flag(label.enable_pix, false),
    enable_card: flag(label.enable_card, false),
    order_bump_title: setLine(label.order_bump_title, 80, CHECKOUT_DEFAULTS.order_bump_title),
    order_bump_subtitle: setLine(label.order_bump_subtitle, 160),
    order_bump_style: setChoice(label.order_bump_style, BUMP_STYLES),
    total_section_style: setChoice(label.total_section_style, TOTAL_STYLES),
    button_text: setLine(label.button_text, 40),
    button_style: setChoice(label.button_style, BUTTON_STYLES),
    trust_badges_enabled: flag(label.trust_badges_enabled, false),
    urgency_timer_enabled: flag(label.urgency_timer_enabled, false),
    urgency_timer_minutes: setNumber(5, 120, "Os minutos do timer devem ser um número inteiro de 5 a 120"),
    guarantee_days: setNumber(
      SHORTEST_GUARANTEE_DAYS,
      365,
      `A garantia deve ter de ${SHORTEST_GUARANTEE_DAYS} a 365 dias: menos que ${SHORTEST_GUARANTEE_DAYS} a lei não permite`,
    ),
    support_contact: setLine(label.support_contact, 120),
  })
  // Without an e-mail there is nothing to confirm.
  .transform(
    (settings): CheckoutSettings => ({
      ...settings,
      require_email_confirmation: settings.require_email && settings.require_email_confirmation,
    }),
  );

/** A seller's thank-you settings, from its form or as JSON. */
export const thankYouCustomizationForm = z
  .object({
    enabled: flag(THANK_YOU_LABELS.enabled, false),
    title: setLine(THANK_YOU_LABELS.title, 120, THANK_YOU_DEFAULTS.title),
    subtitle: setLine(THANK_YOU_LABELS.subtitle, 240),
    background_color: setColor(THANK_YOU_LABELS.background_color, THANK_YOU_DEFAULTS.background_color),
    primary_color: setColor(THANK_YOU_LABELS.primary_color, THANK_YOU_DEFAULTS.primary_color),
    logo_url: setUrl(THANK_YOU_LABELS.logo_url, "picture"),
    custom_message: setText(THANK_YOU_LABELS.custom_message, LONG),
    show_download_button: flag(THANK_YOU_LABELS.show_download_button, false),
    download_button_text: setLine(
      THANK_YOU_LABELS.download_button_text,
      40,
      THANK_YOU_DEFAULTS.download_button_text,
    ),
    redirect_url: setUrl(THANK_YOU_LABELS.redirect_url),
    auto_redirect_seconds: setChoice(THANK_YOU_LABELS.auto_redirect_seconds, REDIRECT_SECONDS),
  })
  .transform((settings): ThankYouSettings => settings);
