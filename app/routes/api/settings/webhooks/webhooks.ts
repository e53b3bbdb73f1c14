import { z } from "zod";
import {
  listWebhooks,
  revealSecret,
  revealToken,
  showWebhook,
} from "#app/domain/outbox/webhook/list-webhooks.server.ts";
import { createWebhook } from "#app/domain/outbox/webhook/save-webhook.server.ts";
import { webhookForm } from "#app/domain/outbox/webhook/webhook-form.server.ts";
import { webhookJson } from "#app/domain/outbox/webhook/webhook-json.ts";
import {
  listedWebhookAnswer,
  newWebhookFields,
  secret,
  token,
  webhookAnswer,
} from "#app/routes/api/settings/webhooks/answers.server.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { originOf } from "#app/web/door/origin.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

/** A seller's webhooks, twenty at most, newest first. POST makes one, whose secret is in its answer and in no later one. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Os webhooks, do mais novo ao mais antigo",
      needs: "read",
      answer: z.array(listedWebhookAnswer),
      example: {},
    },
    async ({ seller }) => json((await listWebhooks(seller.id)).map(webhookJson)),
  ),
  POST: method(
    {
      summary: "Cria um webhook",
      details:
        "O segredo só aparece nesta resposta, e o token dos formatos Kiwify e Hotmart também: guarde-os. O vendedor é avisado por e-mail.",
      needs: "webhooks",
      recent: true,
      body: webhookForm,
      bodyFields: newWebhookFields,
      answer: webhookAnswer.extend({ secret, token }),
      status: 201,
      example: {
        body: {
          name: "Área de membros",
          url: "https://example.com/vendas",
          events: ["sale.paid", "sale.refunded"],
        },
      },
    },
    async ({ request, seller, read }) => {
      const id = await createWebhook(seller.id, await read(), originOf(request));
      const { version, ...webhook } = await showWebhook(seller.id, id);
      const shown = { ...webhookJson(webhook), version, secret: await revealSecret(seller.id, id) };
      return json(
        webhook.form === "standard" ? shown : { ...shown, token: await revealToken(seller.id, id) },
        201,
      );
    },
  ),
});
