import { parseJson } from "#app/domain/gateway/providers/call-provider.server.ts";
import { callMercadopago } from "#app/domain/gateway/providers/mercadopago/call-mercadopago.server.ts";
import { type Order, readOrder, readOrders } from "#app/domain/gateway/providers/mercadopago/read-order.ts";
import { DAY, HOUR } from "#app/kit/duration.ts";

/** The path of an order. */
export function orderPath(id: string): string {
  return `/v1/orders/${encodeURIComponent(id)}`;
}

/** Finds an order by its id; null where there is none. */
export async function findOrder(accessToken: string, id: string): Promise<Order | null> {
  const answer = await callMercadopago(accessToken, "GET", orderPath(id));
  return answer.status === 404 ? null : readOrder(parseJson(answer.body));
}

/** Finds an order of the last two days by our reference; null where there is none. */
export async function findOrderByReference(accessToken: string, reference: string): Promise<Order | null> {
  // Both dates are required; their clock may be ahead.
  const query = new URLSearchParams({
    begin_date: new Date(Date.now() - 2 * DAY).toISOString(),
    end_date: new Date(Date.now() + HOUR).toISOString(),
    external_reference: reference,
  });
  const answer = await callMercadopago(accessToken, "GET", `/v1/orders?${query}`);
  return readOrders(parseJson(answer.body)).find((one) => one.external_reference === reference) ?? null;
}
