import { saveConnection } from "#app/domain/tracking/save-connection.server.ts";
import { showConnection } from "#app/domain/tracking/show-connection.server.ts";
import { connectionForm } from "#app/domain/tracking/tracking-form.server.ts";
import { endpoint, readJson } from "#app/web/api.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** The connection to UTMify; the token goes in and comes back as a mask. */
export const { loader, action } = endpoint({
  GET: async ({ request }) => {
    const seller = await requireApiSeller(request, "read");
    const { token, apiUrl, sourceId, enabled } = await showConnection(seller.id);
    return { api_token: token, api_url: apiUrl, source_id: sourceId, is_enabled: enabled };
  },
  POST: async ({ request }) => {
    const seller = await requireApiSeller(request, "settings");
    await saveConnection(seller.id, await readJson(request, connectionForm));
    return { success: true };
  },
});
