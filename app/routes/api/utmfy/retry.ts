import { resendTracking } from "#app/domain/tracking/resend-tracking.server.ts";
import { endpoint, failureJson } from "#app/server/api/endpoint.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { serviceResultBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/** Reports a sale's present status once more: `{success, message}`. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Informa de novo à UTMify como está uma venda",
      needs: "sales",
      answer: serviceResultBody,
      rateLimited: true,
      example: { params: { saleId: "$SALE" } },
    },
    async ({ request, seller, params }) => {
      try {
        await throttle("outside-call", request, seller.id);
        return await resendTracking(seller.id, params.saleId ?? "");
      } catch (error) {
        return failureJson(error, request, { success: false });
      }
    },
  ),
});
