import { CHECKOUT_DEFAULTS } from "#app/domain/storefront/checkout-settings.ts";
import { CHECKOUT } from "#app/domain/storefront/customizations.server.ts";
import { endpoint } from "#app/web/api.server.ts";
import { settingsApi } from "#app/web/customization/api.server.ts";

/** The signed-in seller's checkout settings: `settingsApi`. */
export const { loader, action } = endpoint(
  settingsApi(CHECKOUT, {
    page: "de checkout",
    defaults: CHECKOUT_DEFAULTS,
    example: { body: { brand_name: "Escola Canto Livre", button_color: "#0F766E" } },
  }),
);
