import { z } from "zod";
import { createDestination } from "#app/domain/delivery/save-destination.server.ts";
import { formOf } from "#app/domain/delivery/webhook/settings.ts";
import { webhookForm } from "#app/domain/delivery/webhook/webhook-form.server.ts";
import { webhookJson } from "#app/domain/delivery/webhook/webhook-json.ts";
import {
  listWebhooks,
  revealSecret,
  revealToken,
  showWebhook,
} from "#app/domain/delivery/webhook/webhooks.server.ts";
import {
  listedWebhookAnswer,
  newWebhookFields,
  secret,
  token,
  webhookAnswer,
} from "#app/routes/api/settings/webhooks/answers.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";

/**
 * A seller's webhooks, at most twenty, newest first. POST creates one and returns its secret, which no later response
 * contains.
 */
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
      recentSignIn: true,
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
      const id = await createDestination("webhook", seller.id, await read(), requestOrigin(request, seller));
      const webhook = await showWebhook(seller.id, id);
      const { switchedVersion: version } = webhook;
      const created = { ...webhookJson(webhook), version, secret: await revealSecret(seller.id, id) };
      return json(
        formOf(webhook) === "standard" ? created : { ...created, token: await revealToken(seller.id, id) },
        201,
      );
    },
  ),
});
