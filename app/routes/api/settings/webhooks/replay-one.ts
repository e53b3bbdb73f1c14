import { resendNews } from "#app/domain/outbox/resend-news.server.ts";
import { tellSubject } from "#app/domain/outbox/telling/tell-news.server.ts";
import { showWebhook } from "#app/domain/outbox/webhook/list-webhooks.server.ts";
import { readNews } from "#app/domain/sale/read-news.server.ts";
import { endpoint } from "#app/web/api.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { said } from "#app/web/openapi/answers.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

/** Tells one piece of news again, at once, under the same id. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Reenvia um aviso",
      details: "Com o mesmo webhook-id. O que respondeu o endereço está no registro.",
      needs: "webhooks",
      answer: said,
      counted: true,
      example: { params: { webhookId: "$WEBHOOK", newsId: "$NEWS" } },
    },
    async ({ request, seller, params }) => {
      const { id } = await showWebhook(seller.id, params.webhookId ?? "");
      await throttle("outside-call", request, seller.id);
      await tellSubject(await resendNews("webhook", seller.id, id, params.newsId ?? ""), readNews);
      return { success: true, message: "Reenviado: a resposta está no registro." };
    },
  ),
});
