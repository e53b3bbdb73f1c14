import { env } from "#app/platform/env.server.ts";

/** Headers of every answer, static files included. */
const COMMON_HEADERS: Record<string, string> = {
  "X-Content-Type-Options": "nosniff",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  ...(env.APP_URL.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
};

/** Default headers of our own answers: nobody may embed them, and they run, load and send nothing. */
const ROUTE_HEADERS: Record<string, string> = {
  ...COMMON_HEADERS,
  // What says nothing of it is the data of a screen, which a cache in front of us would otherwise store for as long as it likes. Not
  // `no-store`: a browser could not use what a link under the pointer has loaded ahead.
  "Cache-Control": "private, no-cache",
  "Content-Security-Policy":
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Path parameters that are public. Any other parameter gives access to something. */
const PUBLIC_PARAMETERS = new Set([":productId", ":slug", ":provider"]);

/**
 * The headers an answer gets unless it has its own of that name.
 * @param pattern the route pattern, e.g. `/reset-password/:token`; null for a static file
 */
export function defaultHeaders(pattern: string | null): Record<string, string> {
  if (pattern === null) return { ...COMMON_HEADERS, "Referrer-Policy": "strict-origin-when-cross-origin" };
  const isSecret = pattern.split("/").some((part) => part.startsWith(":") && !PUBLIC_PARAMETERS.has(part));
  // Not `no-referrer`: a form sent from such a page would have the origin `null`, like one from another site's frame.
  return {
    ...ROUTE_HEADERS,
    "Referrer-Policy": isSecret ? "same-origin" : "strict-origin-when-cross-origin",
  };
}
