import type { RequestOrigin } from "#app/kit/device.ts";
import { clientIp } from "#app/server/request/client.server.ts";
import { withoutRemixParameters } from "#app/server/request/remix-parameters.ts";

/** Where a request came from, as sessions and security mails show it. */
export function requestOrigin(request: Request): RequestOrigin {
  return { ip: clientIp(request), userAgent: request.headers.get("user-agent") };
}

/** The URL of the page a request is about, without the parameters that Remix adds. */
export function pageAddress(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return withoutRemixParameters(pathname.replace(/\.data$/, "") + search);
}
