import { z } from "zod";
import { endpoint, errorJson } from "#app/server/api/endpoint.server.ts";
import { sendLimitedTestMail } from "#app/server/forms/send-limited-test-mail.server.ts";
import { serviceResultBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const body = z.object({
  test_email: z.string({ error: "Digite um email para teste" }).max(254, "E-mail inválido"),
});

/** Sends the purchase mail with example data to `test_email`; 502 if the provider refused it. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Envia o e-mail de compra, com dados de exemplo, a um endereço",
      needs: "settings",
      body,
      answer: serviceResultBody,
      rateLimited: true,
      example: { body: { test_email: "ana@exemplo.com.br" } },
    },
    async ({ request, seller, read }) => {
      const { test_email } = await read();
      const { success, message } = await sendLimitedTestMail(request, seller, { to: test_email });
      return success ? { success, message } : errorJson({ status: 502, message }, { success });
    },
  ),
});
