import { endpoint, json } from "#app/web/api.server.ts";
import { startOAuth } from "#app/web/session/oauth.server.ts";

/** `{redirectUrl}`: where to sign in; state and verifier stay in a cookie for `POST /api/sessions`. */
export const { loader, action } = endpoint({
  GET: async () => {
    const { redirectUrl, cookie } = await startOAuth();
    return json({ redirectUrl }, 200, { "Set-Cookie": cookie });
  },
});
