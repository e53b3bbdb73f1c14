import { checkPix } from "#app/domain/settlement/check-pix.server.ts";
import { endpoint } from "#app/web/api.server.ts";

/** How a payment stands. With `?ask=1` (the buyer says so) the provider is asked first, if its gate allows. */
export const { loader, action } = endpoint({
  GET: async ({ request, params }) => {
    const ask = new URL(request.url).searchParams.get("ask") === "1";
    const { status, standing, saleId, unsure, nextLookAt } = await checkPix(params.paymentId ?? "", { ask });
    return {
      success: !unsure,
      status,
      sale_id: saleId,
      standing,
      next_look_at: nextLookAt?.toISOString() ?? null,
    };
  },
});
