import type { AdVisit } from "#app/domain/order/ad-ids.server.ts";
import { env } from "#app/platform/env.server.ts";

/** More than a browser sends. */
const MOST = 200;

/** What a browser brings along that advertisers know it by. */
export function adVisitOf(request: Request, agrees: boolean): AdVisit {
  return {
    agrees,
    agent: request.headers.get("user-agent") ?? "",
    host: new URL(env.APP_URL).hostname,
    cookies: cookiesOf(request.headers.get("cookie") ?? ""),
  };
}

/** Cookies as they were written: none of these is encoded by whoever writes it. Of two by one name the first counts. */
function cookiesOf(header: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const one of header.split(";").slice(0, MOST)) {
    const at = one.indexOf("=");
    const name = one.slice(0, at).trim();
    if (at > 0 && !found.has(name)) found.set(name, one.slice(at + 1).trim());
  }
  return found;
}
