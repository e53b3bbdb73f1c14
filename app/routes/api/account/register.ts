import { register } from "#app/domain/identity/register.server.ts";
import { registration } from "#app/domain/identity/register-form.server.ts";
import { endpoint, json, readJson } from "#app/web/api.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { refuseCrossSite } from "#app/web/session/guards.server.ts";

/** Opens an account: `{name, email, password}` → 201, the confirmation mail is on its way. */
export const { loader, action } = endpoint({
  POST: async ({ request }) => {
    refuseCrossSite(request);
    const form = await readJson(request, registration);
    await throttle("register", request, form.email);
    await register(form);
    return json({ success: true, message: "Conta criada com sucesso!" }, 201);
  },
});
