import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { sendQueued } from "#tests/integration/deliveries/support.ts";
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
  return checkCharge(chargeId);
}

/** What UTMify's sandbox stores of a sale. */
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

/** Sends UTMify all queued deliveries of a sale, as a worker would. */
export async function deliverToUtmify(saleId: string): Promise<void> {
  const [sale] = await sql`select seller_id from sales where id = ${saleId}`;
  await sendQueued(await utmifyOf(sale!.seller_id), saleId);
}

/** UTMify's deliveries of a sale, in sequence. */
export function eventsOf(saleId: string) {
  return sql`select o.id, o.event, o.status, o.reason, o.attempts, o.response_status, o.response_body from deliveries o
    inner join destinations d on d.id = o.destination_id and d.kind = 'utmify' where o.sale_id = ${saleId} order by o.sequence`;
}

/** When the pending deliveries of a sale may be retried; null if there are none. */
export async function nextAttempt(saleId: string): Promise<Date | null> {
  const [row] =
    await sql`select next_attempt_at from deliveries where sale_id = ${saleId} and status = 'queued' order by sequence limit 1`;
  return (row?.next_attempt_at as Date | undefined) ?? null;
}
