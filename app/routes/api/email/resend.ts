import { resendAccess } from "#app/domain/access/resend-access.server.ts";
import { resentWords } from "#app/domain/access/resent-words.ts";
import { endpoint, failed } from "#app/web/api.server.ts";
import { said } from "#app/web/openapi/answers.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

/** Mails a purchase to its customer once more. `{success, message}`, also where it is refused. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Envia de novo o acesso de uma compra ao comprador",
      needs: "sales",
      answer: said,
      example: { params: { saleId: "$SALE" } },
    },
    async ({ request, seller, params }) => {
      try {
        const resent = await resendAccess(seller.id, params.saleId ?? "");
        return { success: true, message: resentWords(resent) };
      } catch (error) {
        return failed(error, request, { success: false });
      }
    },
  ),
});
