import { z } from "zod";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { startOAuth } from "#app/server/session/oauth.server.ts";

/** `{redirectUrl}`: where to sign in; state and verifier are stored in a cookie for `POST /api/sessions`. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Onde entrar com o Google; um cookie guarda o que a volta precisa",
      answer: z.object({ redirectUrl: z.url() }),
      example: {},
    },
    async () => {
      const { redirectUrl, cookie } = await startOAuth();
      return json({ redirectUrl }, 200, { "Set-Cookie": cookie });
    },
  ),
});
