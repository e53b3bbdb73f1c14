import { z } from "zod";
import { checkoutCustomizationForm } from "#app/domain/storefront/customization-form.server.ts";
import { findOwnCheckoutSettings } from "#app/domain/storefront/find-own-settings.server.ts";
import { readSettings } from "#app/domain/storefront/read-settings.server.ts";
import { saveCheckoutSettings } from "#app/domain/storefront/save-settings.server.ts";
import { endpoint, readJson } from "#app/web/api.server.ts";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

const body = z.looseObject(
  { version: z.int({ error: "A versão deve ser um número inteiro" }).optional() },
  { error: "As configurações devem ser um objeto" },
);

/**
 * The signed-in seller's checkout settings over the defaults. POST replaces what is sent and keeps the rest; with the
 * `version` that GET told it is refused (409) where somebody saved in between. `removed` tells, by field, what was not kept.
 */
export const { loader, action } = endpoint({
  GET: async ({ request }) => {
    const seller = await requireApiSeller(request, "read");
    const { settings, version } = await findOwnCheckoutSettings(seller.id);
    return { ...settings, version };
  },
  POST: async ({ request }) => {
    const seller = await requireApiSeller(request, "settings");
    const { version, ...given } = await readJson(request, body, SELLERS_BODY);
    const saved = await saveCheckoutSettings(seller.id, {
      version,
      to: (current) => readSettings(checkoutCustomizationForm, current, given),
    });
    return { ...saved.settings, version: saved.version, removed: saved.removed };
  },
});
