import { register } from "#app/domain/identity/register.server.ts";
import { registration } from "#app/domain/identity/register-form.server.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { said } from "#app/web/openapi/answers.server.ts";
import { method } from "#app/web/openapi/method.server.ts";
import { refuseCrossSite } from "#app/web/session/guards.server.ts";

/** Opens an account: 201, the confirmation mail is on its way. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Abre uma conta e envia o e-mail de confirmação",
      body: registration,
      answer: said,
      status: 201,
      counted: true,
      example: { body: { name: "Ana Lima", email: "ana@exemplo.com.br", password: "uma senha comprida" } },
    },
    async ({ request, read }) => {
      refuseCrossSite(request);
      const form = await read();
      await throttle("register", request, form.email);
      await register(form);
      return json({ success: true, message: "Conta criada com sucesso!" }, 201);
    },
  ),
});
