import type { Db } from "#app/db/client.server.ts";
import { trackingEvents } from "#app/db/schema/tracking.server.ts";
import { orderPayload, type TrackedOrder } from "#app/domain/tracking/order-payload.server.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { SEND_ORDER } from "#app/queue/names.ts";

/**
 * Writes down a state of an order, frozen as it will be sent, and queues the sending, in the caller's transaction.
 * A second call for the same state does nothing. Two statements.
 */
export async function queueOrder(
  tx: Db,
  order: TrackedOrder,
  about: { sellerId: string; platform: string; transactionId: string | null },
): Promise<void> {
  const [row] = await tx
    .insert(trackingEvents)
    .values({
      sellerId: about.sellerId,
      saleId: order.saleId,
      state: order.state,
      transactionId: about.transactionId,
      payload: orderPayload(order, about.platform),
    })
    .onConflictDoNothing({ target: [trackingEvents.saleId, trackingEvents.state, trackingEvents.resend] })
    .returning({ id: trackingEvents.id });
  if (row) await enqueue(tx, SEND_ORDER, { saleId: order.saleId }, { key: order.saleId });
}
