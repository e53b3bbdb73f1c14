import { deleteDestination } from "#app/domain/delivery/change-destination.server.ts";
import { switchedVersionOf } from "#app/domain/delivery/list-destinations.server.ts";
import { saveDestination } from "#app/domain/delivery/save-destination.server.ts";
import { formOf } from "#app/domain/delivery/webhook/settings.ts";
import { webhookJson } from "#app/domain/delivery/webhook/webhook-json.ts";
import { revealToken, showWebhook } from "#app/domain/delivery/webhook/webhooks.server.ts";
import {
  token,
  webhookAnswer,
  webhookChange,
  webhookFields,
} from "#app/routes/api/settings/webhooks/answers.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { successBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";

const params = { webhookId: "$WEBHOOK" };

/**
 * One webhook. PUT replaces its fields; the token is unchanged if left out. At another host it is a new one where our own format is
 * left or chosen. Hotmart's form sends it, so a change to another host, or from Kiwify's form, is refused without one.
 */
export const { loader, action } = endpoint({
  GET: method(
    { summary: "Um webhook", needs: "read", answer: webhookAnswer, versioned: true, example: { params } },
    ({ seller, params }) => webhookAnswerOf(seller.id, params.webhookId ?? ""),
  ),
  PUT: method(
    {
      summary: "Substitui os dados de um webhook",
      details:
        "O estado fica como está quando não é enviado; o token também, menos quando o host muda e o formato é, ou era, o padrão: aí é trocado por um novo. O formato da Hotmart envia o próprio token: quem já o usa e muda de host, ou passa a ele vindo do da Kiwify (também no mesmo host), precisa informar o token; sem ele, a mudança é recusada (400). Quem passa do formato padrão ao da Kiwify ou da Hotmart sem enviar um recebe o token nesta resposta. Outro endereço é dito ao vendedor por e-mail.",
      needs: "webhooks",
      recentSignIn: true,
      body: webhookChange,
      bodyFields: webhookFields,
      answer: webhookAnswer.extend({ token }),
      versioned: true,
      example: {
        params,
        body: { name: "Área de membros", url: "https://example.com/vendas", events: ["sale.paid"] },
      },
    },
    async ({ request, seller, params, readVersioned }) => {
      const id = params.webhookId ?? "";
      // Another seller's webhook is a 404, whatever the body contains.
      const before = await showWebhook(seller.id, id);
      const { fields, version } = await readVersioned();
      const origin = requestOrigin(request, seller);
      await saveDestination("webhook", seller.id, id, fields, origin, version, switchedVersionOf);
      const isFirst = formOf(before) === "standard" && fields.form !== "standard";
      const now = await webhookAnswerOf(seller.id, id);
      return isFirst ? { ...now, token: await revealToken(seller.id, id) } : now;
    },
  ),
  DELETE: method(
    {
      summary: "Apaga um webhook, com o seu registro",
      needs: "webhooks",
      answer: successBody,
      conditional: true,
      example: { params },
    },
    async ({ seller, params, ifMatch }) => {
      const { id } = await showWebhook(seller.id, params.webhookId ?? "");
      await deleteDestination("webhook", seller.id, id, ifMatch);
      return { success: true };
    },
  ),
});

async function webhookAnswerOf(sellerId: string, id: string) {
  const webhook = await showWebhook(sellerId, id);
  return { ...webhookJson(webhook), version: webhook.switchedVersion };
}
