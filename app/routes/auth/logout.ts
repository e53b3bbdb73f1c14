import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { endSession } from "#app/domain/identity/access/end-session.server.ts";
import { paths, safeReturnTo } from "#app/kit/paths.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { refuseCrossSite, refuseEmbedded } from "#app/server/session/guards.server.ts";
import { sessionToken, signOutCookie } from "#app/server/session/session-cookie.server.ts";

/** A POST ends the session; a GET changes nothing and redirects to the home page. */
export const { loader, action } = endpoint({
  GET: async ({ request }: LoaderFunctionArgs) => {
    refuseEmbedded(request);
    return redirect(paths.home());
  },
  POST: async ({ request }: ActionFunctionArgs) => {
    refuseCrossSite(request);
    const token = await sessionToken(request);
    if (token) await endSession(token);
    const returnTo = safeReturnTo(new URL(request.url).searchParams.get("returnTo"), "");
    return redirect(paths.login(returnTo || undefined), { headers: { "Set-Cookie": await signOutCookie() } });
  },
});
