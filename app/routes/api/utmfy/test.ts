import { testConnection } from "#app/domain/delivery/utmify/test-connection.server.ts";
import { connectionForm } from "#app/domain/delivery/utmify/tracking-form.server.ts";
import { endpoint, failureJson } from "#app/server/api/endpoint.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { serviceResultBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/** Sends UTMify a test order: `{success, message}`, also when it was refused before sending. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Envia um pedido de teste à UTMify",
      needs: "settings",
      body: connectionForm,
      answer: serviceResultBody,
      rateLimited: true,
      example: { body: { api_token: "token-da-utmify", source_id: "minha-loja" } },
    },
    async ({ request, seller, read }) => {
      try {
        const form = await read();
        await throttle("outside-call", request, seller.id);
        return await testConnection(seller.id, form);
      } catch (error) {
        return failureJson(error, request, { success: false });
      }
    },
  ),
});
