import type { Tx } from "#app/db/client.server.ts";
import { readTrackedOrder } from "#app/domain/sale/tracking/read-tracked-order.server.ts";
import { queueOrder } from "#app/domain/tracking/queue-order.server.ts";
import type { OrderState } from "#app/domain/tracking/states.ts";

/**
 * Queues the report of a sale's new state where its seller wants it, in the transaction that made it so. The same state
 * again does nothing.
 */
export async function trackSale(tx: Tx, saleId: string, state: OrderState): Promise<void> {
  const tracked = await readTrackedOrder(tx, saleId, state);
  if (tracked) await queueOrder(tx, tracked.order, tracked.about);
}
