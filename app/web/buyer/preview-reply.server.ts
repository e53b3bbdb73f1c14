import { json } from "#app/web/api.server.ts";
import type { RenderedPage } from "#app/web/buyer/page.server.tsx";

/** Runs nothing, sends nothing, is shown in our own pages alone. Styles come and go while the seller types. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: http: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin";

/** A preview: as JSON with `more` for the script that asks for it, else as the document a frame shows. */
export function previewReply(request: Request, { html }: RenderedPage, more: object = {}): Response {
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
