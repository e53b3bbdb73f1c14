import { resendAccess } from "#app/domain/access/resend-access.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { toFailure } from "#app/web/errors.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** Mails a purchase to its customer once more. `{success, message}`, also where it is refused. */
export const { loader, action } = endpoint({
  POST: async ({ request, params }) => {
    const seller = await requireApiSeller(request, "sales");
    try {
      const { recipient } = await resendAccess(seller.id, params.saleId ?? "");
      return { success: true, message: `Email reenviado para ${recipient}` };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, message } = toFailure(error, request);
      return json({ success: false, message, error: message }, status);
    }
  },
});
