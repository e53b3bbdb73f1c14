import { z } from "zod";
import { credentialsForm } from "#app/domain/identity/credentials-form.server.ts";
import type { ProviderProfile } from "#app/domain/identity/provider-profile.server.ts";
import { signInWithProvider } from "#app/domain/identity/sign-in-with-provider.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { successBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { finishOAuth } from "#app/server/session/oauth.server.ts";
import { refuseCrossSite } from "#app/server/session/refuse-cross-site.server.ts";
import { checkPassword, startSession } from "#app/server/session/sign-in.server.ts";

const codeForm = z.object({ code: z.string().min(1).max(4000), state: z.string().max(500).optional() });
const anything = z.looseObject({});

/** Signs in with the provider's `{code}` (and `state`, if the client stored it) or with `{email, password}`. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Entra com e-mail e senha, ou com o código do Google; a sessão vem num cookie",
      body: anything,
      bodyFields: z.union([credentialsForm, codeForm]),
      answer: successBody,
      rateLimited: true,
      example: { body: { email: "$EMAIL", password: "$PASSWORD" } },
    },
    async ({ request, read }) => {
      refuseCrossSite(request);
      const body = await read();
      const byCode = codeForm.safeParse(body);
      const proven = byCode.success
        ? await sellerByCode(request, byCode.data)
        : await sellerByPassword(request, body);
      return json({ success: true }, 200, { "Set-Cookie": await startSession(request, proven) });
    },
  ),
});

async function sellerByCode(request: Request, body: z.output<typeof codeForm>) {
  let profile: ProviderProfile;
  let found: Awaited<ReturnType<typeof signInWithProvider>>;
  try {
    profile = await finishOAuth(request, body.code, body.state ?? null);
    found = await signInWithProvider(profile, requestOrigin(request, null));
  } catch (error) {
    if (error instanceof Refusal && error.kind === "too-many") throw error;
    log.warn({ err: error }, "sign-in with the identity provider failed");
    throw new Refusal("unauthorized", "Não foi possível concluir o login. Tente de novo.");
  }
  if ("refusal" in found)
    throw new Refusal("forbidden", "O e-mail do provedor de identidade não pode abrir esta conta");
  return { sellerId: found.sellerId, subject: profile.subject };
}

async function sellerByPassword(request: Request, body: unknown) {
  const credentials = credentialsForm.safeParse(body);
  if (!credentials.success) {
    const issue = credentials.error.issues[0]!;
    throw new Refusal("invalid", issue.message, issue.path.join("."));
  }
  const found = await checkPassword(request, credentials.data);
  if (found.outcome === "unconfirmed") throw new Refusal("forbidden", "Confirme seu e-mail antes de entrar");
  return found;
}
