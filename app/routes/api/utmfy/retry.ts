import { resendTracking } from "#app/domain/sale/resend-tracking.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { toFailure } from "#app/web/errors.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** Reports a sale's present state once more: `{success, message}`. */
export const { loader, action } = endpoint({
  POST: async ({ request, params }) => {
    const seller = await requireApiSeller(request, "sales");
    try {
      await throttle("outside-call", request, seller.id);
      return await resendTracking(seller.id, params.saleId ?? "");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, message } = toFailure(error, request);
      return json({ success: false, message, error: message }, status);
    }
  },
});
