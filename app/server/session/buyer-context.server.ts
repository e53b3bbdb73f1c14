import type { BuyerContext } from "#app/domain/order/order.ts";
import { clientKey } from "#app/server/request/client.server.ts";
import { recallSales } from "#app/server/session/sales-cookie.server.ts";

/** The id made by a page's script; anything else is ignored. */
const BROWSER_ID = /^[0-9a-f]{32}$/;

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
