import { isOneOf, mergeSettings } from "#app/domain/storefront/merge-settings.ts";

/** Seconds before the redirect, as the seller may choose; 0 is never. */
export const REDIRECT_SECONDS = [0, 5, 10, 15, 30] as const;

/** A seller's thank-you settings as stored and, by the same names, in the API. */
export type ThankYouSettings = {
  enabled: boolean;
  title: string;
  subtitle: string;
  background_color: string;
  primary_color: string;
  logo_url: string;
  custom_message: string;
  show_download_button: boolean;
  download_button_text: string;
  redirect_url: string;
  auto_redirect_seconds: number;
};

/** Source: spec, seller administration, entity "Thank-you customisation". */
export const THANK_YOU_DEFAULTS: ThankYouSettings = {
  enabled: true,
  title: "Obrigado pela sua compra!",
  subtitle: "Sua compra foi processada com sucesso.",
  background_color: "#F9FAFB",
  primary_color: "#3B82F6",
  logo_url: "",
  custom_message: "",
  show_download_button: true,
  download_button_text: "Baixar Produto",
  redirect_url: "",
  auto_redirect_seconds: 0,
};

/** Stored settings over the defaults. */
export function mergeThankYouSettings(stored: unknown): ThankYouSettings {
  return mergeSettings(THANK_YOU_DEFAULTS, stored, { auto_redirect_seconds: isOneOf(REDIRECT_SECONDS) });
}

/** The settings buyers see: a page that is switched off uses the defaults. */
export function publicThankYouSettings(settings: ThankYouSettings): ThankYouSettings {
  return settings.enabled ? settings : { ...THANK_YOU_DEFAULTS, enabled: false };
}
