import { resendTracking } from "#app/domain/sale/tracking/resend-tracking.server.ts";
import { endpoint, failed } from "#app/web/api.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { tried } from "#app/web/openapi/answers.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

/** Reports a sale's present state once more: `{success, message}`. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Informa de novo à UTMify como está uma venda",
      needs: "sales",
      answer: tried,
      counted: true,
      example: { params: { saleId: "$SALE" } },
    },
    async ({ request, seller, params }) => {
      try {
        await throttle("outside-call", request, seller.id);
        return await resendTracking(seller.id, params.saleId ?? "");
      } catch (error) {
        return failed(error, request, { success: false });
      }
    },
  ),
});
