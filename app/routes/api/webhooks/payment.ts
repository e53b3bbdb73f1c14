import { takeWebhook } from "#app/domain/settlement/take-webhook.server.ts";
import { endpoint, json, readText } from "#app/web/api.server.ts";
import { STRANGERS_BODY } from "#app/web/door/read-bytes.server.ts";

const STATUS = {
  "unknown-address": 404,
  "wrong-secret": 401,
  rubbish: 400,
  taken: 200,
  known: 200,
  "no-charge": 200,
};

/** A payment provider's news: into the inbox and answered at once. Providers probe the address with GET. */
export const { loader, action } = endpoint({
  GET: async () => ({ received: false }),
  POST: async ({ request, params }) => {
    const taken = await takeWebhook({
      provider: params.provider ?? "",
      hookToken: params.hookToken ?? "",
      reference: new URL(request.url).searchParams.get("charge"),
      body: await readText(request, STRANGERS_BODY),
      header: (name) => request.headers.get(name),
    });
    const status = STATUS[taken];
    return json(status === 200 ? { received: true } : { error: "Não recebido" }, status);
  },
});
