import { buffer } from "node:stream/consumers";
import type { PictureFormat } from "#app/kit/files/pictures.ts";

const TYPES: Record<PictureFormat, string> = {
  avif: "image/avif",
  webp: "image/webp",
  jpg: "image/jpeg",
  png: "image/png",
};

/** A picture of ours: `size` in bytes, small enough for memory. `tag` identifies its bytes. */
type SentPicture = {
  tag: string;
  format: PictureFormat;
  size: number;
  read: () => Promise<AsyncIterable<Uint8Array>>;
};

/** Sends a picture that may be cached forever: a changed picture has another address. */
export async function sendPicture(
  request: Request,
  { tag, format, size, read }: SentPicture,
): Promise<Response> {
  const etag = `"${tag}"`;
  const headers = {
    "Content-Type": TYPES[format],
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    // Other sites and mails may show it.
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Cache-Control": "public, max-age=31536000, immutable, no-transform",
    ETag: etag,
  };
  const known = request.headers.get("if-none-match")?.split(",") ?? [];
  if (known.some((each) => [etag, `W/${etag}`, "*"].includes(each.trim())))
    return new Response(null, { status: 304, headers });
  const sized = { ...headers, "Content-Length": String(size) };
  if (request.method === "HEAD") return new Response(null, { headers: sized });
  return new Response(new Uint8Array(await buffer(await read())), { headers: sized });
}
