import { z } from "zod";
import { receiveMailWebhook } from "#app/domain/mail/sending/receive-mail-webhook.server.ts";
import { endpoint, errorJson } from "#app/server/api/endpoint.server.ts";
import { readText } from "#app/server/api/read-json.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const STATUS = { "unknown-address": 404, unsigned: 401, taken: 200, known: 200 };

/** Delivery events of mails, signed by Resend. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Recebe os avisos assinados do Resend, no formato dele",
      answer: z.object({ received: z.literal(true) }),
    },
    async ({ request, params }) => {
      const outcome = await receiveMailWebhook({
        hookToken: params.hookToken ?? "",
        body: await readText(request, 256 * 1024),
        header: (name) => request.headers.get(name),
      });
      const status = STATUS[outcome];
      return status === 200 ? { received: true } : errorJson({ status, message: "Não recebido" });
    },
  ),
});
