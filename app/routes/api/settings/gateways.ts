import { gatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { endpoint, readJson } from "#app/web/api.server.ts";
import { originOf } from "#app/web/door/origin.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";
import { requireOwner } from "#app/web/session/recent-sign-in.server.ts";

/**
 * The gateway settings: keys go in and come back as masks. A POST may bring a part, e.g. `{resend_api_key}`. Keys
 * of payments change by a session that signed in a moment ago, never by an API key.
 */
export const { loader, action } = endpoint({
  GET: async ({ request }) => {
    const seller = await requireApiSeller(request, "read");
    return showGateways(seller.id);
  },
  POST: async ({ request }) => {
    const seller = await requireApiSeller(request, "settings");
    requireOwner(seller);
    await saveGateways(seller.id, await readJson(request, gatewaysForm()), originOf(request));
    return { success: true, message: "Configurações salvas com sucesso!" };
  },
});
