import type { KeyHolder } from "#app/domain/identity/access/find-api-key.server.ts";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { clientIp } from "#app/server/request/client.server.ts";
import { withoutRemixParameters } from "#app/server/request/remix-parameters.ts";

/**
 * Where a request came from, as sessions and security mails show it, and by which access of `caller`: what it changes
 * is refused if that is ended meanwhile. Null where nobody is signed in.
 */
export function requestOrigin(request: Request, caller: SignedIn | KeyHolder | null): RequestOrigin {
  const origin = { ip: clientIp(request), userAgent: request.headers.get("user-agent") };
  if (!caller) return origin;
  return "scopes" in caller ? { ...origin, keyId: caller.keyId } : { ...origin, sessionId: caller.sessionId };
}

/** The URL of the page a request is about, without the parameters that Remix adds. */
export function pageAddress(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return withoutRemixParameters(pathname.replace(/\.data$/, "") + search);
}
