import { z } from "zod";
import { revealSecret, rotateSecret, showWebhook } from "#app/domain/delivery/webhook/webhooks.server.ts";
import { secret } from "#app/routes/api/settings/webhooks/answers.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { moment } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";

/** Replaces a webhook's secret; the new one is shown only in this response. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Troca o segredo de um webhook",
      details:
        "O novo só aparece nesta resposta. Por 24 horas os dois assinam; quem troca de novo nesse tempo encerra o primeiro.",
      needs: "webhooks",
      recentSignIn: true,
      answer: z.object({
        secret,
        previous_until: moment.nullable().meta({ description: "Até quando o anterior também assina" }),
      }),
      example: { params: { webhookId: "$WEBHOOK" } },
    },
    async ({ request, seller, params }) => {
      const id = params.webhookId ?? "";
      await rotateSecret(seller.id, id, requestOrigin(request, seller));
      const { previousUntil } = await showWebhook(seller.id, id);
      return {
        secret: await revealSecret(seller.id, id),
        previous_until: previousUntil?.toISOString() ?? null,
      };
    },
  ),
});
