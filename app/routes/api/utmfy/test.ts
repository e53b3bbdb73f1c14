import { testConnection } from "#app/domain/outbox/utmify/test-connection.server.ts";
import { connectionForm } from "#app/domain/outbox/utmify/tracking-form.server.ts";
import { endpoint, failed } from "#app/web/api.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { tried } from "#app/web/openapi/answers.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

/** Sends UTMify a test order: `{success, message}`, the message also where it was refused before. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Envia um pedido de teste à UTMify",
      needs: "settings",
      body: connectionForm,
      answer: tried,
      counted: true,
      example: { body: { api_token: "token-da-utmify", source_id: "minha-loja" } },
    },
    async ({ request, seller, read }) => {
      try {
        const form = await read();
        await throttle("outside-call", request, seller.id);
        return await testConnection(seller.id, form);
      } catch (error) {
        return failed(error, request, { success: false });
      }
    },
  ),
});
