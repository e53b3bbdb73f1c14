import { z } from "zod";
import { MAX_RESENT, resendDeliveries } from "#app/domain/delivery/resend-delivery.server.ts";
import { showWebhook } from "#app/domain/delivery/webhook/webhooks.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const moment = z.iso.datetime({ offset: true, error: "Informe um momento, como 2026-11-22T12:00:00Z" });

/** Queues a webhook's deliveries of a time span again. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Reenvia os avisos de um período",
      details: `Os que não chegaram, ou todos com all; os ${MAX_RESENT.toLocaleString("pt-BR")} mais antigos por pedido. Testes, e avisos de mais de 30 dias, não são reenviados.`,
      needs: "webhooks",
      body: z.object({
        from: moment.meta({ description: "O primeiro momento" }),
        to: moment.meta({ description: "O último momento" }),
        all: z.boolean().default(false).meta({ description: "Também os que chegaram" }),
      }),
      answer: z.object({ queued: z.int().meta({ description: "Quantos estão na fila de reenvio" }) }),
      example: {
        params: { webhookId: "$WEBHOOK" },
        body: { from: "2026-11-01T00:00:00-03:00", to: "2026-11-30T23:59:59-03:00" },
      },
    },
    async ({ seller, params, read }) => {
      const { id } = await showWebhook(seller.id, params.webhookId ?? "");
      const { from, to, all } = await read();
      const span = { from: new Date(from), to: new Date(to), all };
      return { queued: await resendDeliveries("webhook", seller.id, id, span) };
    },
  ),
});
