import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { pageHeaders, type RenderedPage } from "#app/web/buyer/page.server.tsx";
import { wholeAnswer } from "#app/web/door/whole-answer.server.ts";

/** A document ready to be sent to anyone, compressed once. */
export type KeptPage = {
  body: Buffer<ArrayBuffer>;
  gzipped: Buffer<ArrayBuffer>;
  headers: Record<string, string>;
  etag: string;
};

/**
 * Prepares a rendered document for being sent often.
 * @param audience `private` where the same address shows others another document, by their cookies
 */
export function keepPage(
  { html, policy }: RenderedPage,
  audience: "public" | "private" = "public",
): KeptPage {
  const body = Buffer.from(html);
  const etag = `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const headers = {
    ...pageHeaders(policy),
    ETag: etag,
    Vary: audience === "private" ? "Accept-Encoding, Cookie" : "Accept-Encoding",
    // A shared cache may keep it, but asks each time: a change shows on the next request.
    "Cache-Control": `${audience}, max-age=0, must-revalidate`,
  };
  return { body, gzipped: gzipSync(body, { level: 9 }), headers, etag };
}

/** Answers with a kept page, or 304 where the browser has it. */
export function sendKept(page: KeptPage, request: Request): Response {
  const known = request.headers.get("if-none-match")?.split(",") ?? [];
  if (known.some((etag) => etag.trim() === page.etag))
    return new Response(null, { status: 304, headers: page.headers });
  if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) {
    return wholeAnswer(page.body, { headers: page.headers });
  }
  return wholeAnswer(page.gzipped, {
    headers: { ...page.headers, "Content-Encoding": "gzip" },
  });
}
