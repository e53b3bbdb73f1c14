import { resendAccess } from "#app/domain/access/resend-access.server.ts";
import { resentText } from "#app/domain/access/resent-text.ts";
import { endpoint, failureJson } from "#app/server/api/endpoint.server.ts";
import { messageBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/** Mails a purchase to its customer once more. `{success, message}`, also when it is refused. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Envia de novo o acesso de uma compra ao comprador",
      needs: "sales",
      answer: messageBody,
      example: { params: { saleId: "$SALE" } },
    },
    async ({ request, seller, params }) => {
      try {
        const resent = await resendAccess(seller.id, params.saleId ?? "");
        return { success: true, message: resentText(resent) };
      } catch (error) {
        return failureJson(error, request, { success: false });
      }
    },
  ),
});
