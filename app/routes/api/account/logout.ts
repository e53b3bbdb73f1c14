import { endSession } from "#app/domain/identity/access/end-session.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { successBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { refuseCrossSite, refuseEmbedded } from "#app/server/session/refuse-cross-site.server.ts";
import { sessionToken, signOutCookie } from "#app/server/session/session-cookie.server.ts";

const documentation = { summary: "Encerra a sessão do cookie", answer: successBody, example: {} };

/**
 * Ends the session. The API's clients use GET, which is therefore accepted only as a navigation or from our own pages: no
 * picture, style or frame on another site can sign a seller out.
 */
export const { loader, action } = endpoint({
  GET: method(documentation, async ({ request }) => {
    refuseEmbedded(request);
    return signOut(request);
  }),
  POST: method(documentation, async ({ request }) => {
    refuseCrossSite(request);
    return signOut(request);
  }),
});

async function signOut(request: Request): Promise<Response> {
  const token = await sessionToken(request);
  if (token) await endSession(token);
  return json({ success: true }, 200, { "Set-Cookie": await signOutCookie() });
}
