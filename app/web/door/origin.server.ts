import type { Origin } from "#app/kit/device.ts";
import { withoutRemixParameters } from "#app/web/door/remix-parameters.ts";
import { clientIp } from "#app/web/limits/client.server.ts";

/** Where a request came from, as sessions and notices to the seller show it. */
export function originOf(request: Request): Origin {
  return { ip: clientIp(request), userAgent: request.headers.get("user-agent") };
}

/** The address of the page a request is about, without what Remix adds for its own reading of data. */
export function pageAddress(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return withoutRemixParameters(pathname.replace(/\.data$/, "") + search);
}
