import { THANK_YOU } from "#app/domain/storefront/customizations.server.ts";
import { THANK_YOU_DEFAULTS } from "#app/domain/storefront/thank-you-settings.ts";
import { endpoint } from "#app/web/api.server.ts";
import { settingsApi } from "#app/web/customization/api.server.ts";

/** The signed-in seller's thank-you settings: `settingsApi`. */
export const { loader, action } = endpoint(
  settingsApi(THANK_YOU, {
    page: "de obrigado",
    defaults: THANK_YOU_DEFAULTS,
    example: { body: { title: "Obrigada pela compra!" } },
  }),
);
