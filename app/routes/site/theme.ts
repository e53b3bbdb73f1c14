import type { ActionFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { paths, safeReturnTo } from "#app/kit/paths.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { refuseCrossSite } from "#app/server/session/refuse-cross-site.server.ts";
import { themeCookie } from "#app/server/session/theme.server.ts";

/** Stores light or dark and redirects back to the page. */
export const { loader, action } = endpoint({
  GET: async () => redirect(paths.home()),
  POST: async ({ request }: ActionFunctionArgs) => {
    refuseCrossSite(request);
    const form = await readPostedForm(request);
    const theme = form.get("theme") === "dark" ? "dark" : "light";
    return redirect(safeReturnTo(form.get("returnTo"), paths.home()), {
      headers: { "Set-Cookie": await themeCookie(theme) },
    });
  },
});
