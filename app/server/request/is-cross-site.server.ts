import { env } from "#app/platform/env.server.ts";

/** Whether another site's page sent this request. Programs other than browsers send none of these headers. */
export function isCrossSite({ headers }: { headers: Pick<Headers, "get"> }): boolean {
  const site = headers.get("sec-fetch-site");
  if (site) return site === "cross-site" || site === "same-site";
  const origin = headers.get("origin");
  // The host that a request names is not trustworthy; `null` is the origin of a sandboxed frame of any site.
  return origin !== null && origin !== new URL(env.APP_URL).origin;
}
