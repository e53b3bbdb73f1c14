import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import type { Removal } from "#app/domain/storefront/sanitize/removal.ts";
import { tidyCss } from "#app/domain/storefront/sanitize/tidy-css.server.ts";
import { tidyHtml } from "#app/domain/storefront/sanitize/tidy-html.server.ts";
import type { ThankYouSettings } from "#app/domain/storefront/thank-you-settings.ts";

/** What was taken out of a seller's HTML and CSS, by field. */
export type Removed = Partial<Record<string, Removal[]>>;

/** Settings as they are stored, and what they lost on the way. */
export type TidySettings<T> = { settings: T; removed: Removed };

export function tidyCheckout(settings: CheckoutSettings): TidySettings<CheckoutSettings> {
  const header = tidyHtml(settings.custom_header);
  const footer = tidyHtml(settings.custom_footer);
  const css = tidyCss(settings.custom_css);
  return {
    settings: {
      ...settings,
      custom_header: header.kept,
      custom_footer: footer.kept,
      custom_css: css.kept,
    },
    removed: said({ custom_header: header.removed, custom_footer: footer.removed, custom_css: css.removed }),
  };
}

export function tidyThankYou(settings: ThankYouSettings): TidySettings<ThankYouSettings> {
  const message = tidyHtml(settings.custom_message);
  return {
    settings: { ...settings, custom_message: message.kept },
    removed: said({ custom_message: message.removed }),
  };
}

function said(removed: Record<string, Removal[]>): Removed {
  return Object.fromEntries(Object.entries(removed).filter(([, list]) => list.length > 0));
}
