import { env } from "#app/platform/env.server.ts";

/** Whether another site's page sent this request. Programs that are no browser send none of the headers that tell. */
export function isCrossSite({ headers }: { headers: Pick<Headers, "get"> }): boolean {
  const site = headers.get("sec-fetch-site");
  if (site) return site === "cross-site" || site === "same-site";
  const origin = headers.get("origin");
  // What a request calls its own host is anybody's word; and `null` is what a sandboxed frame of any site says.
  return origin !== null && origin !== new URL(env.APP_URL).origin;
}
