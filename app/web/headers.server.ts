import { env } from "#app/platform/env.server.ts";

/**
 * The client's address: the socket's is not visible here, so it is what the nearest trusted proxy wrote.
 * With `TRUSTED_PROXY_HOPS` = n the n-th entry of X-Forwarded-For from the right counts; with 0 none is believed.
 */
export function clientIp(request: Request): string | null {
  if (env.TRUSTED_PROXY_HOPS === 0) return null;
  const chain = (request.headers.get("x-forwarded-for") ?? "").split(",").map((part) => part.trim());
  return chain.at(-env.TRUSTED_PROXY_HOPS) || null;
}

/** Whether another site's page sent this request. Browsers say so themselves; programs send neither header. */
export function isCrossSite(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site) return site === "cross-site" || site === "same-site";
  const origin = request.headers.get("origin");
  // What a request calls its own host is anybody's word.
  return origin !== null && origin !== "null" && origin !== new URL(env.APP_URL).origin;
}

/** Headers every page carries. */
export const SECURITY_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "X-Frame-Options": "SAMEORIGIN",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
  ...(env.APP_URL.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
} as const;
