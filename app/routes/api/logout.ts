import { endSession } from "#app/domain/identity/end-session.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { isCrossSite } from "#app/web/headers.server.ts";
import { sessionToken, signOutCookie } from "#app/web/session.server.ts";

/** Ends the session. It changes state although it is a GET, so another site's page or image may not ask for it. */
export const { loader, action } = endpoint({
  GET: async ({ request }) => {
    if (isCrossSite(request)) throw new Refusal("forbidden", "Este pedido veio de outro site e foi recusado");
    const token = await sessionToken(request);
    if (token) await endSession(token);
    return json({ success: true }, 200, { "Set-Cookie": await signOutCookie() });
  },
});
