import { resendNow } from "#app/domain/delivery/resend-delivery.server.ts";
import { showWebhook } from "#app/domain/delivery/webhook/webhooks.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { serviceResultBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/** Sends one delivery again, at once, under the same id. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Reenvia um aviso",
      details:
        "Com o mesmo webhook-id. O que respondeu o endereço está no registro. success é false onde nada foi enviado: message diz por quê.",
      needs: "webhooks",
      answer: serviceResultBody,
      rateLimited: true,
      example: { params: { webhookId: "$WEBHOOK", newsId: "$DELIVERY" } },
    },
    async ({ request, seller, params }) => {
      const { id } = await showWebhook(seller.id, params.webhookId ?? "");
      await throttle("outside-call", request, seller.id);
      const place = { destinationId: id, deliveryId: params.newsId ?? "" };
      const unsent = await resendNow("webhook", seller.id, place, readNotification);
      return { success: unsent === null, message: unsent ?? "Reenviado: a resposta está no registro." };
    },
  ),
});
