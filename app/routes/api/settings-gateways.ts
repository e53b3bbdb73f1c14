import { gatewaysForm } from "#app/domain/payments/gateways-form.server.ts";
import { saveGateways } from "#app/domain/payments/save-gateways.server.ts";
import { showGateways } from "#app/domain/payments/show-gateways.server.ts";
import { endpoint, readJson } from "#app/web/api.server.ts";
import { requireApiSeller } from "#app/web/guards.server.ts";

/** The gateway settings: keys go in and come back as masks. A POST may bring a part, e.g. `{resend_api_key}`. */
export const { loader, action } = endpoint({
  GET: async ({ request }) => {
    const seller = await requireApiSeller(request);
    return showGateways(seller.id);
  },
  POST: async ({ request }) => {
    const seller = await requireApiSeller(request);
    await saveGateways(seller.id, await readJson(request, gatewaysForm));
    return { success: true, message: "Configurações salvas com sucesso!" };
  },
});
