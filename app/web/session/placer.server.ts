import type { Placer } from "#app/domain/order/placer.ts";
import { clientOf } from "#app/web/limits/client.server.ts";
import { recallSales } from "#app/web/session/sales-cookie.server.ts";

/** Whose browser sends this request: what an order is recognised and counted by. */
export async function placerOf(request: Request): Promise<Placer> {
  return {
    client: clientOf(request),
    browser: request.headers.get("user-agent") ?? "",
    placed: await recallSales(request),
  };
}
