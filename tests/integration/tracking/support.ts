import { askProvider } from "#app/domain/settlement/ask-provider.server.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import type { App } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeTracking } from "#tests/support/make-tracking.ts";

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

/** The delivery rows of a sale, oldest first. */
export function eventsOf(saleId: string) {
  return sql`select state, status, attempts, response_status, response_body, note, resend from tracking_events
    where sale_id = ${saleId} order by created_at, resend`;
}

/** When the sale's next try is due, as a Date; null while none is queued. */
export async function nextTry(saleId: string): Promise<Date | null> {
  const [job] =
    await sql`select run_at from graphile_worker._private_jobs where key = ${`send-order:${saleId}`}`;
  return (job?.run_at as Date | undefined) ?? null;
}
