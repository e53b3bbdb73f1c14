import { takeMailWebhook } from "#app/domain/mail/outbox/take-mail-webhook.server.ts";
import { endpoint, json, readText } from "#app/web/api.server.ts";

const STATUS = { "unknown-address": 404, unsigned: 401, taken: 200, known: 200 };

/** What became of mails, signed by Resend. */
export const { loader, action } = endpoint({
  POST: async ({ request, params }) => {
    const taken = await takeMailWebhook({
      hookToken: params.hookToken ?? "",
      body: await readText(request, 256 * 1024),
      header: (name) => request.headers.get(name),
    });
    const status = STATUS[taken];
    return json(status === 200 ? { received: true } : { error: "Não recebido" }, status);
  },
});
