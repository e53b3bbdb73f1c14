import { env } from "#app/platform/env.server.ts";

/** Whether another site's page sent this request. Browsers say so themselves; programs send neither header. */
export function isCrossSite(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site) return site === "cross-site" || site === "same-site";
  const origin = request.headers.get("origin");
  return (
    origin !== null &&
    origin !== "null" &&
    new URL(origin).host !== new URL(request.url).host &&
    origin !== env.APP_URL
  );
}

/** Headers every page carries. */
export const SECURITY_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "X-Frame-Options": "SAMEORIGIN",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
  ...(env.APP_URL.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
} as const;
