import { z } from "zod";
import { DELIVERY_EVENTS } from "#app/db/schema/lists.ts";
import { testDestination } from "#app/domain/delivery/test-destination.server.ts";
import { showWebhook } from "#app/domain/delivery/webhook/webhooks.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { serviceResultBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/** Notifies a webhook of a fictitious sale, and waits for its response. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Envia um aviso de teste a um webhook",
      details: "De uma venda inventada, com test: true; o evento tem de ser um dos que ele recebe.",
      needs: "webhooks",
      body: z.object({ event: z.enum(DELIVERY_EVENTS, "Evento desconhecido") }),
      answer: serviceResultBody,
      rateLimited: true,
      example: { params: { webhookId: "$WEBHOOK" }, body: { event: "sale.paid" } },
    },
    async ({ request, seller, params, read }) => {
      const { id } = await showWebhook(seller.id, params.webhookId ?? "");
      const { event } = await read();
      await throttle("outside-call", request, seller.id);
      const { status, text: outcome } = await testDestination("webhook", seller.id, id, event);
      const success = status === "sent";
      return { success, message: success ? "O endereço aceitou o aviso." : (outcome.text ?? outcome.label) };
    },
  ),
});
