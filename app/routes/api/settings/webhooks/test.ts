import { z } from "zod";
import { NEWS_EVENTS } from "#app/db/schema/lists.ts";
import { testDestination } from "#app/domain/outbox/test-destination.server.ts";
import { showWebhook } from "#app/domain/outbox/webhook/list-webhooks.server.ts";
import { endpoint } from "#app/web/api.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { tried } from "#app/web/openapi/answers.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

/** Tells a webhook of an invented sale, and waits for the answer. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Envia um aviso de teste a um webhook",
      details: "De uma venda inventada, com test: true; o evento tem de ser um dos que ele recebe.",
      needs: "webhooks",
      body: z.object({ event: z.enum(NEWS_EVENTS, "Evento desconhecido") }),
      answer: tried,
      counted: true,
      example: { params: { webhookId: "$WEBHOOK" }, body: { event: "sale.paid" } },
    },
    async ({ request, seller, params, read }) => {
      const { id } = await showWebhook(seller.id, params.webhookId ?? "");
      const { event } = await read();
      await throttle("outside-call", request, seller.id);
      const { status, words } = await testDestination("webhook", seller.id, id, event);
      const success = status === "sent";
      return { success, message: success ? "O endereço aceitou o aviso." : (words.text ?? words.label) };
    },
  ),
});
