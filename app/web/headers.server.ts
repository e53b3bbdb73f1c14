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

/** Whether another site's page sent this request. Programs that are no browser send none of the headers that tell. */
export function isCrossSite({ headers }: { headers: Pick<Headers, "get"> }): boolean {
  const site = headers.get("sec-fetch-site");
  if (site) return site === "cross-site" || site === "same-site";
  const origin = headers.get("origin");
  // What a request calls its own host is anybody's word; and `null` is what a sandboxed frame of any site says.
  return origin !== null && origin !== new URL(env.APP_URL).origin;
}
