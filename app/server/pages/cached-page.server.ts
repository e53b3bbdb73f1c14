import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { pageHeaders, type RenderedPage } from "#app/server/pages/buyer-page.server.tsx";
import { bufferedResponse } from "#app/server/response/buffered-response.server.ts";

/** A document that may be sent to anyone; `gzipped` is the same, compressed once. */
export type CachedPage = {
  body: Buffer<ArrayBuffer>;
  gzipped: Buffer<ArrayBuffer>;
  headers: Record<string, string>;
  etag: string;
};

/**
 * Prepares a rendered document for being sent often.
 * @param audience `private` if the document at this address depends on cookies
 */
export function cachePage({ html, policy }: RenderedPage, audience?: "public" | "private"): CachedPage {
  return cacheText(html, pageHeaders(policy), audience);
}

/** Prepares an answer of the API for being sent often to anyone. */
export function cacheJson(body: unknown): CachedPage {
  return cacheText(JSON.stringify(body), { "Content-Type": "application/json" });
}

function cacheText(
  text: string,
  ownHeaders: Record<string, string>,
  audience: "public" | "private" = "public",
): CachedPage {
  const body = Buffer.from(text);
  const etag = `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const headers = {
    ...ownHeaders,
    ETag: etag,
    Vary: audience === "private" ? "Accept-Encoding, Cookie" : "Accept-Encoding",
    // A shared cache may store it but must revalidate: a change shows on the next request.
    "Cache-Control": `${audience}, max-age=0, must-revalidate`,
  };
  return { body, gzipped: gzipSync(body, { level: 9 }), headers, etag };
}

/** Answers with a cached page, or 304 if the browser has it. */
export function sendCachedPage(page: CachedPage, request: Request): Response {
  const known = request.headers.get("if-none-match")?.split(",") ?? [];
  if (known.some((etag) => etag.trim() === page.etag))
    return new Response(null, { status: 304, headers: page.headers });
  return bufferedResponse(page.body, { headers: page.headers }, page.gzipped);
}
