import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import type { Customization } from "#app/domain/storefront/customizations.server.ts";
import { readPartialSettings } from "#app/domain/storefront/read-settings.server.ts";
import { json } from "#app/server/api/endpoint.server.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { limitPreviews, renderQueuedPreview } from "#app/server/limits/limit-previews.server.ts";
import type { RenderedPage } from "#app/server/pages/buyer-page.server.tsx";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";

type RouteArgs = LoaderFunctionArgs | ActionFunctionArgs;
type RenderPreview<T> = (
  seller: Awaited<ReturnType<typeof requireSeller>>,
  settings: T,
) => Promise<RenderedPage>;

/** Runs nothing, sends nothing, and is only embedded in our own pages. Styles change while the seller types. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: http: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin";

/** The endpoint of a customization's preview: the page as it is saved (GET), or with a form's unsaved fields (POST). */
export function previewEndpoint<T extends object>(customization: Customization<T>, render: RenderPreview<T>) {
  return {
    GET: async ({ request }: RouteArgs) => {
      const seller = await requireSeller(request);
      const { settings } = await customization.find(seller.id);
      return reply(request, await render(seller, settings));
    },
    POST: async ({ request }: RouteArgs) => {
      const seller = await requireSeller(request);
      await limitPreviews(request, seller.id);
      const given = Object.fromEntries(await readPostedForm(request, MAX_SELLER_BODY));
      const saved = await customization.find(seller.id);
      return renderQueuedPreview(async () => {
        const known = saved.settings as Record<string, unknown>;
        const { settings, removed } = customization.tidy(
          readPartialSettings(customization.schema, known, given),
        );
        return reply(request, await render(seller, settings), { removed });
      });
    },
  };
}

/** A preview: as JSON with `extra` for the script that requests it, else as the document of a frame. */
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
