import { testConnection } from "#app/domain/tracking/test-connection.server.ts";
import { connectionForm } from "#app/domain/tracking/tracking-form.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { endpoint, json, readJson } from "#app/web/api.server.ts";
import { toFailure } from "#app/web/errors.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** Sends UTMify a test order: `{success, message}`, the message also where it was refused before. */
export const { loader, action } = endpoint({
  POST: async ({ request }) => {
    const seller = await requireApiSeller(request, "settings");
    try {
      const form = await readJson(request, connectionForm);
      await throttle("outside-call", request, seller.id);
      return await testConnection(seller.id, form);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, message } = toFailure(error, request);
      return json({ success: false, message, error: message }, status);
    }
  },
});
