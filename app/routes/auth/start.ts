import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { paths, safeReturnTo } from "#app/kit/paths.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { returnCookie, startOAuth } from "#app/server/session/oauth.server.ts";
import { refuseCrossSite } from "#app/server/session/refuse-cross-site.server.ts";

/** Sends the browser to the identity provider. A POST, so that no link or prefetch starts it. */
export const { loader, action } = endpoint({
  GET: async () => redirect(paths.login()),
  POST: async ({ request }: ActionFunctionArgs) => {
    refuseCrossSite(request);
    const form = await readPostedForm(request);
    const { redirectUrl, cookie } = await startOAuth();
    const headers = new Headers({ "Set-Cookie": cookie, "Cache-Control": "no-store" });
    headers.append(
      "Set-Cookie",
      await returnCookie.serialize(safeReturnTo(form.get("returnTo"), paths.dashboard())),
    );
    return redirect(redirectUrl, { headers });
  },
});
