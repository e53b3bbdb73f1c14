import { z } from "zod";
import { takeMailWebhook } from "#app/domain/mail/outbox/take-mail-webhook.server.ts";
import { endpoint, errorJson, readText } from "#app/web/api.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

const STATUS = { "unknown-address": 404, unsigned: 401, taken: 200, known: 200 };

/** What became of mails, signed by Resend. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Recebe os avisos assinados do Resend, no formato dele",
      answer: z.object({ received: z.literal(true) }),
    },
    async ({ request, params }) => {
      const taken = await takeMailWebhook({
        hookToken: params.hookToken ?? "",
        body: await readText(request, 256 * 1024),
        header: (name) => request.headers.get(name),
      });
      const status = STATUS[taken];
      return status === 200 ? { received: true } : errorJson({ status, message: "Não recebido" });
    },
  ),
});
