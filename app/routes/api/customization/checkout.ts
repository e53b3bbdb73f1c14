import { CHECKOUT_DEFAULTS } from "#app/domain/storefront/checkout-settings.ts";
import { CHECKOUT_CUSTOMIZATION } from "#app/domain/storefront/customizations.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { settingsEndpoint } from "#app/server/customization/settings-endpoint.server.ts";

/** The signed-in seller's checkout settings: `settingsApi`. */
export const { loader, action } = endpoint(
  settingsEndpoint(CHECKOUT_CUSTOMIZATION, {
    page: "de checkout",
    defaults: CHECKOUT_DEFAULTS,
    example: { body: { brand_name: "Escola Canto Livre", button_color: "#0F766E" } },
  }),
);
