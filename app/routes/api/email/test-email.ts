import { z } from "zod";
import { endpoint, errorJson } from "#app/web/api.server.ts";
import { tried } from "#app/web/openapi/answers.server.ts";
import { method } from "#app/web/openapi/method.server.ts";
import { sendCountedTestMail } from "#app/web/test-mail.server.ts";

const body = z.object({
  test_email: z.string({ error: "Digite um email para teste" }).max(254, "E-mail inválido"),
});

/** Sends the purchase mail with example data to `test_email`; 502 where the provider said no. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Envia o e-mail de compra, com dados de exemplo, a um endereço",
      needs: "settings",
      body,
      answer: tried,
      counted: true,
      example: { body: { test_email: "ana@exemplo.com.br" } },
    },
    async ({ request, seller, read }) => {
      const { test_email } = await read();
      const { success, message } = await sendCountedTestMail(request, seller, { to: test_email });
      return success ? { success, message } : errorJson({ status: 502, message }, { success });
    },
  ),
});
