import type { AdVisit } from "#app/domain/order/order.ts";
import { env } from "#app/platform/env.server.ts";

/** More than browsers send. */
const MAX_COOKIES = 200;

/** The identifiers by which advertisers recognize a browser, and its buyer's consent; to which kinds, where they were named. */
export function readAdVisit(request: Request, agrees: boolean, namedKinds?: string[]): AdVisit {
  return {
    ...{ hasConsent: agrees, namedKinds },
    agent: request.headers.get("user-agent") ?? "",
    host: new URL(env.APP_URL).hostname,
    cookies: cookiesOf(request.headers.get("cookie") ?? ""),
  };
}

/** Cookies without decoding, since their writers do not encode them. Of duplicates the first counts. */
function cookiesOf(header: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const one of header.split(";").slice(0, MAX_COOKIES)) {
    const at = one.indexOf("=");
    const name = one.slice(0, at).trim();
    if (at > 0 && !found.has(name)) found.set(name, one.slice(at + 1).trim());
  }
  return found;
}
