import { askProvider } from "#app/domain/settlement/ask-provider.server.ts";
import { tell } from "#tests/integration/outbox/support.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import type { App } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";

/** A shop whose sales are reported. */
export async function openTrackedShop() {
  const shop = await openShop();
  await makeTracking(shop.seller);
  return shop;
}

/** Pays at the sandbox and books it here, with no worker about. */
export async function pay(app: App, { providerId, chargeId }: { providerId: string; chargeId: string }) {
  await app.sandbox.webhooks({ drop: true });
  await app.sandbox.pay(providerId);
  return askProvider(chargeId);
}

/** What UTMify's sandbox holds of a sale. */
export async function orderOf(app: App, saleId: string) {
  type Taken = {
    orderId: string;
    token: string;
    status: string;
    // biome-ignore lint/suspicious/noExplicitAny: the body is what tests look into.
    body: any;
    history: { body: { status: string; createdAt: string } }[];
    violations: string[];
  };
  const orders = (await app.sandbox.orders()) as unknown as Taken[];
  return orders.find((order) => order.orderId === saleId);
}

/** A seller's UTMify, as a destination. */
export async function utmifyOf(sellerId: string): Promise<string> {
  const [row] =
    await sql`select id from destinations where seller_id = ${sellerId} and kind = 'utmify' and deleted_at is null`;
  return row!.id;
}

/** Tells UTMify all that is queued of a sale, as a worker would. */
export async function tellUtmify(saleId: string): Promise<void> {
  const [sale] = await sql`select seller_id from sales where id = ${saleId}`;
  await tell(await utmifyOf(sale!.seller_id), saleId);
}

/** What UTMify is told of a sale, in the order of telling. */
export function eventsOf(saleId: string) {
  return sql`select o.id, o.event, o.status, o.why, o.attempts, o.response_status, o.response_body from outbox o
    inner join destinations d on d.id = o.destination_id and d.kind = 'utmify' where o.sale_id = ${saleId} order by o.place`;
}

/** When what waits of a sale may be tried again; null where nothing does. */
export async function nextTry(saleId: string): Promise<Date | null> {
  const [row] =
    await sql`select next_at from outbox where sale_id = ${saleId} and status = 'queued' order by place limit 1`;
  return (row?.next_at as Date | undefined) ?? null;
}
