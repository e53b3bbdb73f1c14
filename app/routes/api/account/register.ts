import { register } from "#app/domain/identity/register.server.ts";
import { registration } from "#app/domain/identity/register-form.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { takeBackRefused } from "#app/server/limits/take-back-refused.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { messageBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { refuseCrossSite } from "#app/server/session/refuse-cross-site.server.ts";

/** Opens an account: 201, and the confirmation mail is queued. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Abre uma conta e envia o e-mail de confirmação",
      body: registration,
      answer: messageBody,
      status: 201,
      rateLimited: true,
      example: { body: { name: "Ana Lima", email: "ana@exemplo.com.br", password: "uma senha comprida" } },
    },
    async ({ request, read }) => {
      refuseCrossSite(request);
      const form = await read();
      const counted = await throttle("register", request, form.email);
      await takeBackRefused(counted, register(form));
      return json({ success: true, message: "Conta criada com sucesso!" }, 201);
    },
  ),
});
