import { z } from "zod";
import { endpoint, json, readJson } from "#app/web/api.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";
import { sendCountedTestMail } from "#app/web/test-mail.server.ts";

const body = z.object({
  test_email: z.string({ error: "Digite um email para teste" }).max(254, "E-mail inválido"),
});

/** Sends the purchase mail with example data to `test_email`: `{success, message}`, 502 where the provider said no. */
export const { loader, action } = endpoint({
  POST: async ({ request }) => {
    const seller = await requireApiSeller(request, "settings");
    const { test_email } = await readJson(request, body);
    const { success, message } = await sendCountedTestMail(request, seller, test_email);
    return json({ success, message, ...(success ? {} : { error: message }) }, success ? 200 : 502);
  },
});
