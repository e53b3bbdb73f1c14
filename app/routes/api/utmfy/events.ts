import { saveEvents } from "#app/domain/tracking/save-connection.server.ts";
import { showConnection } from "#app/domain/tracking/show-connection.server.ts";
import { eventsForm } from "#app/domain/tracking/tracking-form.server.ts";
import { endpoint, readJson } from "#app/web/api.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** Which events are reported. */
export const { loader, action } = endpoint({
  GET: async ({ request }) => {
    const seller = await requireApiSeller(request, "read");
    const { events } = await showConnection(seller.id);
    return (["purchase", "chargeback", "refund"] as const).map((event_type) => ({
      event_type,
      is_enabled: events[event_type],
    }));
  },
  POST: async ({ request }) => {
    const seller = await requireApiSeller(request, "settings");
    await saveEvents(seller.id, await readJson(request, eventsForm));
    return { success: true };
  },
});
