import { z } from "zod";
import { receiveWebhook } from "#app/domain/settlement/receive-webhook.server.ts";
import { endpoint, errorJson } from "#app/server/api/endpoint.server.ts";
import { readText } from "#app/server/api/read-json.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { MAX_PUBLIC_BODY } from "#app/server/request/read-bytes.server.ts";

const STATUS = {
  "unknown-address": 404,
  "wrong-secret": 401,
  rubbish: 400,
  nothing: 200,
  taken: 200,
  known: 200,
  "no-charge": 200,
};
const answer = z.object({ received: z.boolean() });

/** A payment provider's webhook: stored for processing and answered at once. Providers probe the address with GET. */
export const { loader, action } = endpoint({
  GET: method({ summary: "Diz ao provedor de pagamento que o endereço existe", answer }, async () => ({
    received: false,
  })),
  POST: method(
    { summary: "Recebe os avisos do provedor de pagamento, no formato dele", answer },
    async ({ request, params }) => {
      const { searchParams } = new URL(request.url);
      const outcome = await receiveWebhook({
        provider: params.provider ?? "",
        hookToken: params.hookToken ?? "",
        body: await readText(request, MAX_PUBLIC_BODY),
        header: (name) => request.headers.get(name),
        query: (name) => searchParams.get(name),
      });
      const status = STATUS[outcome];
      return status === 200 ? { received: true } : errorJson({ status, message: "Não recebido" });
    },
  ),
});
