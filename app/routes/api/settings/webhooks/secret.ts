import { z } from "zod";
import { revealSecret, showWebhook } from "#app/domain/outbox/webhook/list-webhooks.server.ts";
import { rotateSecret } from "#app/domain/outbox/webhook/rotate-secret.server.ts";
import { secret } from "#app/routes/api/settings/webhooks/answers.server.ts";
import { endpoint } from "#app/web/api.server.ts";
import { moment } from "#app/web/openapi/answers.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

/** Gives a webhook another secret, shown in this answer alone. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Troca o segredo de um webhook",
      details:
        "O novo só aparece nesta resposta. Por 24 horas os dois assinam; quem troca de novo nesse tempo encerra o primeiro.",
      needs: "webhooks",
      recent: true,
      answer: z.object({
        secret,
        previous_until: moment.nullable().meta({ description: "Até quando o anterior também assina" }),
      }),
      example: { params: { webhookId: "$WEBHOOK" } },
    },
    async ({ seller, params }) => {
      const id = params.webhookId ?? "";
      await rotateSecret(seller.id, id);
      const { previousUntil } = await showWebhook(seller.id, id);
      return {
        secret: await revealSecret(seller.id, id),
        previous_until: previousUntil?.toISOString() ?? null,
      };
    },
  ),
});
