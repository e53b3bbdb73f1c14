import { CHECKOUT } from "#app/domain/storefront/customizations.server.ts";
import { endpoint } from "#app/web/api.server.ts";
import { settingsApi } from "#app/web/customization/api.server.ts";

/** The signed-in seller's checkout settings: `settingsApi`. */
export const { loader, action } = endpoint(settingsApi(CHECKOUT));
