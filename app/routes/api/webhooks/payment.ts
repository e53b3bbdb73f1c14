import { z } from "zod";
import { takeWebhook } from "#app/domain/settlement/take-webhook.server.ts";
import { endpoint, errorJson, readText } from "#app/web/api.server.ts";
import { STRANGERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

const STATUS = {
  "unknown-address": 404,
  "wrong-secret": 401,
  rubbish: 400,
  taken: 200,
  known: 200,
  "no-charge": 200,
};
const answer = z.object({ received: z.boolean() });

/** A payment provider's news: into the inbox and answered at once. Providers probe the address with GET. */
export const { loader, action } = endpoint({
  GET: method({ summary: "Diz ao provedor de pagamento que o endereço existe", answer }, async () => ({
    received: false,
  })),
  POST: method(
    { summary: "Recebe os avisos do provedor de pagamento, no formato dele", answer },
    async ({ request, params }) => {
      const taken = await takeWebhook({
        provider: params.provider ?? "",
        hookToken: params.hookToken ?? "",
        reference: new URL(request.url).searchParams.get("charge"),
        body: await readText(request, STRANGERS_BODY),
        header: (name) => request.headers.get(name),
      });
      const status = STATUS[taken];
      return status === 200 ? { received: true } : errorJson({ status, message: "Não recebido" });
    },
  ),
});
