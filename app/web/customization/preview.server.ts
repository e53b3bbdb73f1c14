import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import type { Customization } from "#app/domain/storefront/customizations.server.ts";
import { readUnfinished } from "#app/domain/storefront/read-settings.server.ts";
import { json } from "#app/web/api.server.ts";
import type { RenderedPage } from "#app/web/buyer/page.server.tsx";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { postedForm } from "#app/web/forms.server.ts";
import { drawPreview, throttlePreview } from "#app/web/limits/draw-preview.server.ts";
import { requireSeller } from "#app/web/session/guards.server.ts";

type Args = LoaderFunctionArgs | ActionFunctionArgs;
type Draw<T> = (seller: Awaited<ReturnType<typeof requireSeller>>, settings: T) => Promise<RenderedPage>;

/** Runs nothing, sends nothing, is shown in our own pages alone. Styles come and go while the seller types. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: http: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin";

/**
 * What the endpoint of a customisation's preview answers with: the page as it is saved (GET) or would be with what a form
 * holds (POST), which is not saved.
 */
export function preview<T extends object>(of: Customization<T>, draw: Draw<T>) {
  return {
    GET: async ({ request }: Args) => {
      const seller = await requireSeller(request);
      const { settings } = await of.find(seller.id);
      return reply(request, await draw(seller, settings));
    },
    POST: async ({ request }: Args) => {
      const seller = await requireSeller(request);
      await throttlePreview(request, seller.id);
      const given = Object.fromEntries(await postedForm(request, SELLERS_BODY));
      const saved = await of.find(seller.id);
      return drawPreview(async () => {
        const known = saved.settings as Record<string, unknown>;
        const { settings, removed } = of.tidy(readUnfinished(of.schema, known, given));
        return reply(request, await draw(seller, settings), { removed });
      });
    },
  };
}

/** A preview: as JSON with `more` for the script that asks for it, else as the document a frame shows. */
function reply(request: Request, { html }: RenderedPage, more: object = {}): Response {
  if (request.headers.get("accept")?.includes("application/json")) return json({ html, ...more });
  return new Response(html, {
    headers: {
      "X-Frame-Options": "SAMEORIGIN",
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
      "Cache-Control": "private, no-store",
    },
  });
}
