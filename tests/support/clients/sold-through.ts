import type { App } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { until } from "#tests/support/until.ts";

/**
 * Places an order over the API of a web process, as its own client unless one is named.
 * @returns the sale's id once it has a PIX
 */
export async function order(
  url: string,
  productId: number | string,
  email: string,
  client = newAddress(),
): Promise<string> {
  const answer = await fetch(`${url}/api/payments/pushinpay`, {
    method: "POST",
    headers: { "X-Forwarded-For": client },
    body: JSON.stringify({
      product_id: Number(productId),
      customer_name: "Bia Compradora",
      customer_email: email,
      customer_phone: "11987654321",
      customer_document: "52998224725",
    }),
  });
  const body = (await answer.json()) as { sale_id?: string };
  if (answer.status !== 200 || !body.sale_id) throw new Error(`${answer.status} ${JSON.stringify(body)}`);
  return body.sale_id;
}

/** Buys, pays at the sandbox and waits until it is booked, which tests the whole way. */
export async function sellOne(app: App, productId: number | string, email: string): Promise<void> {
  const known = new Set((await app.sandbox.transactions()).map(({ id }) => id));
  const saleId = await until(() => order(app.url, productId, email));
  for (const { id } of await app.sandbox.transactions()) if (!known.has(id)) await app.sandbox.pay(id);
  await until(async () => (await (await app.fetch(`/api/sales/${saleId}`)).json()).status === "completed", {
    what: "the sale to be completed",
  });
}
