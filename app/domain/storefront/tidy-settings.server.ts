import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import type { Removal } from "#app/domain/storefront/sanitize/removal.ts";
import { tidyCss } from "#app/domain/storefront/sanitize/tidy-css.server.ts";
import { tidyHtml } from "#app/domain/storefront/sanitize/tidy-html.server.ts";
import type { ThankYouSettings } from "#app/domain/storefront/thank-you-settings.ts";

/** What was removed from a seller's HTML and CSS, by field. */
export type Removed = Partial<Record<string, Removal[]>>;

/** Settings to be stored, and what was removed from them. */
export type TidySettings<T> = { settings: T; removed: Removed };

/** A checkout's settings with what is not allowed taken out of the seller's HTML and CSS, and what that was. */
export function tidyCheckout(settings: CheckoutSettings): TidySettings<CheckoutSettings> {
  const header = tidyHtml(settings.custom_header);
  const footer = tidyHtml(settings.custom_footer);
  const css = tidyCss(settings.custom_css);
  return {
    settings: {
      ...settings,
      custom_header: header.text,
      custom_footer: footer.text,
      custom_css: css.text,
    },
    removed: withoutEmpty({
      custom_header: header.removed,
      custom_footer: footer.removed,
      custom_css: css.removed,
    }),
  };
}

/** The same of a thank-you page. */
export function tidyThankYou(settings: ThankYouSettings): TidySettings<ThankYouSettings> {
  const message = tidyHtml(settings.custom_message);
  return {
    settings: { ...settings, custom_message: message.text },
    removed: withoutEmpty({ custom_message: message.removed }),
  };
}

function withoutEmpty(removed: Record<string, Removal[]>): Removed {
  return Object.fromEntries(Object.entries(removed).filter(([, list]) => list.length > 0));
}
