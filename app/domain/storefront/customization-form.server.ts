import { z } from "zod";
import { flagField } from "#app/domain/catalog/fields.server.ts";
import {
  BUMP_STYLES,
  BUTTON_STYLES,
  CHECKOUT_DEFAULTS,
  type CheckoutSettings,
  MAX_PIX_DISCOUNT,
  MAX_PRICE_GRACE_MINUTES,
  MIN_GUARANTEE_DAYS,
  TOTAL_STYLES,
} from "#app/domain/storefront/checkout-settings.ts";
import {
  choiceSetting,
  colorSetting,
  lineSetting,
  numberSetting,
  textSetting,
  urlSetting,
} from "#app/domain/storefront/customization-fields.server.ts";
import { CHECKOUT_LABELS, THANK_YOU_LABELS } from "#app/domain/storefront/customization-labels.ts";
import {
  REDIRECT_SECONDS,
  THANK_YOU_DEFAULTS,
  type ThankYouSettings,
} from "#app/domain/storefront/thank-you-settings.ts";

/** Character limit of a seller's HTML or CSS; generous, yet keeps the page light. */
export const MAX_CODE_LENGTH = 20_000;

const labels = CHECKOUT_LABELS;
const color = (name: ColorName) => colorSetting(labels[name], CHECKOUT_DEFAULTS[name]);
type ColorName = keyof CheckoutSettings & `${string}_color`;

/** A seller's checkout settings, from the form or as JSON, by the same rules. A missing checkbox is off. */
export const checkoutCustomizationForm = z
  .object({
    brand_name: lineSetting(labels.brand_name, 80),
    brand_logo_url: urlSetting(labels.brand_logo_url, "picture"),
    terms_url: urlSetting(labels.terms_url),
    privacy_url: urlSetting(labels.privacy_url),
    custom_header: textSetting(labels.custom_header, MAX_CODE_LENGTH),
    custom_footer: textSetting(labels.custom_footer, MAX_CODE_LENGTH),
    custom_css: textSetting(labels.custom_css, MAX_CODE_LENGTH),
    primary_color: color("primary_color"),
    secondary_color: color("secondary_color"),
    background_color: color("background_color"),
    discount_badge_color: color("discount_badge_color"),
    promotion_text_color: color("promotion_text_color"),
    button_color: color("button_color"),
    require_name: flagField(labels.require_name, false),
    require_email: flagField(labels.require_email, false),
    require_email_confirmation: flagField(labels.require_email_confirmation, false),
    require_document: flagField(labels.require_document, false),
    require_phone: flagField(labels.require_phone, false),
    enable_pix: flagField(labels.enable_pix, false),
    enable_card: flagField(labels.enable_card, false),
    pix_discount_percent: numberSetting(
      0,
      MAX_PIX_DISCOUNT,
      `O desconto no PIX deve ser um número inteiro de 0 a ${MAX_PIX_DISCOUNT} por cento`,
      CHECKOUT_DEFAULTS.pix_discount_percent,
    ),
    order_bump_title: lineSetting(labels.order_bump_title, 80, CHECKOUT_DEFAULTS.order_bump_title),
    order_bump_subtitle: lineSetting(labels.order_bump_subtitle, 160),
    order_bump_style: choiceSetting(labels.order_bump_style, BUMP_STYLES),
    total_section_style: choiceSetting(labels.total_section_style, TOTAL_STYLES),
    button_text: lineSetting(labels.button_text, 40),
    button_style: choiceSetting(labels.button_style, BUTTON_STYLES),
    trust_badges_enabled: flagField(labels.trust_badges_enabled, false),
    urgency_timer_enabled: flagField(labels.urgency_timer_enabled, false),
    urgency_timer_minutes: numberSetting(
      5,
      120,
      "Os minutos do timer devem ser um número inteiro de 5 a 120",
    ),
    guarantee_days: numberSetting(
      MIN_GUARANTEE_DAYS,
      365,
      `A garantia deve ter de ${MIN_GUARANTEE_DAYS} a 365 dias: menos que ${MIN_GUARANTEE_DAYS} a lei não permite`,
    ),
    price_grace_minutes: numberSetting(
      0,
      MAX_PRICE_GRACE_MINUTES,
      `A tolerância deve ser um número inteiro de 0 a ${MAX_PRICE_GRACE_MINUTES} minutos`,
      CHECKOUT_DEFAULTS.price_grace_minutes,
    ),
    support_contact: lineSetting(labels.support_contact, 120),
  })
  // Without an e-mail there is nothing to confirm.
  .transform(
    (settings): CheckoutSettings => ({
      ...settings,
      require_email_confirmation: settings.require_email && settings.require_email_confirmation,
    }),
  );

/** A seller's thank-you settings, from the form or as JSON. */
export const thankYouCustomizationForm = z
  .object({
    enabled: flagField(THANK_YOU_LABELS.enabled, false),
    title: lineSetting(THANK_YOU_LABELS.title, 120, THANK_YOU_DEFAULTS.title),
    subtitle: lineSetting(THANK_YOU_LABELS.subtitle, 240),
    background_color: colorSetting(THANK_YOU_LABELS.background_color, THANK_YOU_DEFAULTS.background_color),
    primary_color: colorSetting(THANK_YOU_LABELS.primary_color, THANK_YOU_DEFAULTS.primary_color),
    logo_url: urlSetting(THANK_YOU_LABELS.logo_url, "picture"),
    custom_message: textSetting(THANK_YOU_LABELS.custom_message, MAX_CODE_LENGTH),
    show_download_button: flagField(THANK_YOU_LABELS.show_download_button, false),
    download_button_text: lineSetting(
      THANK_YOU_LABELS.download_button_text,
      40,
      THANK_YOU_DEFAULTS.download_button_text,
    ),
    redirect_url: urlSetting(THANK_YOU_LABELS.redirect_url),
    auto_redirect_seconds: choiceSetting(THANK_YOU_LABELS.auto_redirect_seconds, REDIRECT_SECONDS),
  })
  .transform((settings): ThankYouSettings => settings);
