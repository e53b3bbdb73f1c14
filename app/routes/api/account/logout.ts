import { endSession } from "#app/domain/identity/access/end-session.server.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { done } from "#app/web/openapi/answers.server.ts";
import { method } from "#app/web/openapi/method.server.ts";
import { refuseCrossSite, refuseEmbedded } from "#app/web/session/guards.server.ts";
import { sessionToken, signOutCookie } from "#app/web/session/session.server.ts";

const says = { summary: "Encerra a sessão do cookie", answer: done, example: {} };

/**
 * Ends the session. The API's clients ask with a GET, which therefore answers only a navigation or a call of our own
 * pages: no picture, style or frame, wherever it stands, signs a seller out.
 */
export const { loader, action } = endpoint({
  GET: method(says, async ({ request }) => {
    refuseEmbedded(request);
    return signOut(request);
  }),
  POST: method(says, async ({ request }) => {
    refuseCrossSite(request);
    return signOut(request);
  }),
});

async function signOut(request: Request): Promise<Response> {
  const token = await sessionToken(request);
  if (token) await endSession(token);
  return json({ success: true }, 200, { "Set-Cookie": await signOutCookie() });
}
