import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { endSession } from "#app/domain/identity/access/end-session.server.ts";
import { paths, safeReturnTo } from "#app/kit/paths.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { sellerResource } from "#app/server/pages/buyer-page.server.tsx";
import { refuseCrossSite, refuseEmbedded } from "#app/server/session/refuse-cross-site.server.ts";
import { sessionToken, signOutCookie } from "#app/server/session/session-cookie.server.ts";
import { SELLER_SHELL } from "#app/ui/buyer/page-shell.tsx";

/** A GET changes nothing and redirects to the home page. */
export const { loader } = endpoint({
  GET: async ({ request }: LoaderFunctionArgs) => {
    refuseEmbedded(request);
    return redirect(paths.home());
  },
});

/** Ends the session. A failure is thrown: the router would take it for an answer, and lead to the home page as if signed out. */
export function action(args: ActionFunctionArgs) {
  return sellerResource(SELLER_SHELL, args, async ({ request }) => {
    if (request.method !== "POST")
      throw new Response("Método não permitido", { status: 405, headers: { Allow: "GET, POST" } });
    refuseCrossSite(request);
    const token = await sessionToken(request);
    if (token) await endSession(token);
    const returnTo = safeReturnTo(new URL(request.url).searchParams.get("returnTo"), "");
    return redirect(paths.login(returnTo || undefined), { headers: { "Set-Cookie": await signOutCookie() } });
  });
}
