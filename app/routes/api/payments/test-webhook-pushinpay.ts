import { z } from "zod";
import { testWebhook } from "#app/domain/gateway/test-webhook.server.ts";
import { cleanPasted } from "#app/kit/pasted.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { messageBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const payload = z.object({ api_key: z.string().max(500).nullish() });

/** Sends a test through the provider to the seller's webhook address: `{success, message}` or an error. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Testa a chave de pagamento e a volta dos avisos",
      details: "Sem api_key, testa a chave salva.",
      needs: "settings",
      body: payload,
      answer: messageBody,
      rateLimited: true,
      example: { body: {} },
    },
    async ({ request, seller, read }) => {
      const { api_key } = await read();
      await throttle("outside-call", request, seller.id);
      return {
        success: true,
        message: await testWebhook(seller.id, "pushinpay", cleanPasted(api_key ?? "")),
      };
    },
  ),
});
