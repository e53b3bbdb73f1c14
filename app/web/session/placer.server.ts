import type { Placer } from "#app/domain/order/placer.ts";
import { clientOf } from "#app/web/limits/client.server.ts";
import { recallSales } from "#app/web/session/sales-cookie.server.ts";

/** As a page's script makes it; anything else is none. */
const OWN_NAME = /^[0-9a-f]{32}$/;

/** Whose browser sends this request: what an order is recognised and counted by. `ownName` comes with a page's form. */
export async function placerOf(request: Request, ownName = ""): Promise<Placer> {
  return {
    client: clientOf(request),
    browser: request.headers.get("user-agent") ?? "",
    placed: await recallSales(request),
    ownName: OWN_NAME.test(ownName) ? ownName : "",
  };
}
