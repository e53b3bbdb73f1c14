import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { endSession } from "#app/domain/identity/access/end-session.server.ts";
import { paths } from "#app/kit/paths.ts";
import { endpoint } from "#app/web/api.server.ts";
import { refuseCrossSite, refuseEmbedded } from "#app/web/session/guards.server.ts";
import { sessionToken, signOutCookie } from "#app/web/session/session.server.ts";

/** A POST ends the session; a GET changes nothing and goes to the front door. */
export const { loader, action } = endpoint({
  GET: async ({ request }: LoaderFunctionArgs) => {
    refuseEmbedded(request);
    return redirect(paths.home());
  },
  POST: async ({ request }: ActionFunctionArgs) => {
    refuseCrossSite(request);
    const token = await sessionToken(request);
    if (token) await endSession(token);
    return redirect(paths.login(), { headers: { "Set-Cookie": await signOutCookie() } });
  },
});
