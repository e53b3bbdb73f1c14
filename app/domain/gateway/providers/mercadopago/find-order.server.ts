import { callMercadopago } from "#app/domain/gateway/providers/mercadopago/call-mercadopago.server.ts";
import { parseLongIds } from "#app/domain/gateway/providers/mercadopago/parse-long-ids.server.ts";
import { type Order, readOrder, readOrders } from "#app/domain/gateway/providers/mercadopago/read-order.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { DAY, HOUR } from "#app/kit/duration.ts";

/** The path of an order. */
export function orderPath(id: string): string {
  return `/v1/orders/${encodeURIComponent(id)}`;
}

/** Finds an order by its id; null where there is none. @throws ProviderError nonsense where the answer does not say so */
export async function findOrder(accessToken: string, id: string): Promise<Order | null> {
  const answer = await callMercadopago(accessToken, "GET", orderPath(id));
  if (answer.status === 404) return null;
  const order = readOrder(parseLongIds(answer.body));
  if (!order) throw new ProviderError("nonsense", "an order that cannot be read");
  return order;
}

/** How far back a search goes: it finds no older order, whether it was paid or not. */
const SEARCHED = 45 * DAY;

/**
 * Finds an order by our reference; null where there is none.
 * @throws ProviderError nonsense where the answer does not say so
 */
export async function findOrderByReference(accessToken: string, reference: string): Promise<Order | null> {
  // Both dates are required; their clock may be ahead.
  const query = new URLSearchParams({
    begin_date: new Date(Date.now() - SEARCHED).toISOString(),
    end_date: new Date(Date.now() + HOUR).toISOString(),
    external_reference: reference,
  });
  const answer = await callMercadopago(accessToken, "GET", `/v1/orders?${query}`);
  const orders = readOrders(parseLongIds(answer.body));
  if (!orders) throw new ProviderError("nonsense", `a search of orders answered ${answer.status}`);
  const mine = orders.find((one) => one.external_reference === reference);
  const found = mine && readOrder(mine);
  if (mine && !found) throw new ProviderError("nonsense", "an order that cannot be read");
  return found ?? null;
}
