import type { ActionFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { paths, safeReturnTo } from "#app/kit/paths.ts";
import { endpoint } from "#app/web/api.server.ts";
import { postedForm } from "#app/web/forms.server.ts";
import { refuseCrossSite } from "#app/web/session/guards.server.ts";
import { themeCookie } from "#app/web/session/theme.server.ts";

/** Remembers light or dark and goes back to the page it was asked from. */
export const { loader, action } = endpoint({
  GET: async () => redirect(paths.home()),
  POST: async ({ request }: ActionFunctionArgs) => {
    refuseCrossSite(request);
    const form = await postedForm(request);
    const theme = form.get("theme") === "dark" ? "dark" : "light";
    return redirect(safeReturnTo(form.get("returnTo"), paths.home()), {
      headers: { "Set-Cookie": await themeCookie(theme) },
    });
  },
});
