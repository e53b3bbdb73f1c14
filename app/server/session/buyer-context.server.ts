import type { AdVisit, BuyerContext } from "#app/domain/order/order.ts";
import { env } from "#app/platform/env.server.ts";
import { clientKey } from "#app/server/request/client.server.ts";
import { recallSales } from "#app/server/session/sales-cookie.server.ts";

/** The id made by a page's script; anything else is ignored. */
const BROWSER_ID = /^[0-9a-f]{32}$/;

/** More than browsers send. */
const MAX_COOKIES = 200;

/**
 * The browser and client of a request, by which an order is recognized and counted. `browserId` comes with a page's
 * form.
 */
export async function readBuyerContext(request: Request, browserId = ""): Promise<BuyerContext> {
  return {
    client: clientKey(request),
    userAgent: request.headers.get("user-agent") ?? "",
    placedSaleIds: await recallSales(request),
    browserId: BROWSER_ID.test(browserId) ? browserId : "",
  };
}

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
