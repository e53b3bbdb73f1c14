import { resendDelivery } from "#app/domain/delivery/resend-delivery.server.ts";
import { sendSubject } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { showWebhook } from "#app/domain/delivery/webhook/webhooks.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { messageBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/** Sends one delivery again, at once, under the same id. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Reenvia um aviso",
      details: "Com o mesmo webhook-id. O que respondeu o endereço está no registro.",
      needs: "webhooks",
      answer: messageBody,
      rateLimited: true,
      example: { params: { webhookId: "$WEBHOOK", newsId: "$DELIVERY" } },
    },
    async ({ request, seller, params }) => {
      const { id } = await showWebhook(seller.id, params.webhookId ?? "");
      await throttle("outside-call", request, seller.id);
      await sendSubject(
        await resendDelivery("webhook", seller.id, id, params.newsId ?? ""),
        readNotification,
      );
      return { success: true, message: "Reenviado: a resposta está no registro." };
    },
  ),
});
