import { THANK_YOU_CUSTOMIZATION } from "#app/domain/storefront/customizations.server.ts";
import { THANK_YOU_DEFAULTS } from "#app/domain/storefront/thank-you-settings.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { settingsEndpoint } from "#app/server/customization/settings-endpoint.server.ts";

/** The signed-in seller's thank-you settings: `settingsApi`. */
export const { loader, action } = endpoint(
  settingsEndpoint(THANK_YOU_CUSTOMIZATION, {
    page: "de obrigado",
    defaults: THANK_YOU_DEFAULTS,
    example: { body: { title: "Obrigada pela compra!" } },
  }),
);
