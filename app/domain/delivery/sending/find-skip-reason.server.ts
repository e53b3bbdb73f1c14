import { and, eq, gt, inArray, or, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { deliveries } from "#app/db/schema/deliveries.server.ts";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import type { Destination } from "#app/domain/delivery/destination.ts";
import type { ClaimedDelivery } from "#app/domain/delivery/sending/claim-deliveries.server.ts";

/** Whether its destination accepted a row of `deliveries`: also one that is being sent again. */
export const wasAccepted = sql<boolean>`(${deliveries.status} = 'sent' or ${deliveries.attemptLog} @> '[{"result": "taken"}]')`;

/** Why not to send a delivery, as its row stores it; null where it should be sent. */
export async function findSkipReason(delivery: ClaimedDelivery, kind: Destination, now: Date) {
  const order = kind.orderRanks && delivery.saleId ? await readOrder(delivery, kind) : null;
  if (order?.isOutdated) return { status: "dropped" as const, reason: "outdated" };
  const since = order?.createdAt ?? delivery.createdAt;
  if (now.getTime() - since.getTime() > kind.maxAge(delivery.event))
    return { status: "too_late" as const, reason: delivery.reason };
  // Whoever made the last attempt died before its result was recorded.
  if (delivery.attempts > kind.retryDelays.length) return { status: "refused" as const, reason: "lost" };
  return null;
}

/** Whether a later state of the order is queued: its message contains all that this one would. */
export async function isSuperseded(tx: Tx, delivery: ClaimedDelivery, kind: Destination): Promise<boolean> {
  if (!kind.orderRanks) return false;
  const [row] = await tx
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(isOfSubject(delivery), eq(deliveries.status, "queued"), isLater(delivery, kind)))
    .limit(1);
  return row !== undefined;
}

/** Whether a delivery of the order is of a higher-ranked event, or of the same one and after this one: its next partial refund. */
function isLater({ event, sequence }: ClaimedDelivery, { orderRanks = {} }: Destination) {
  const rank = orderRanks[event] ?? 0;
  const higher = (Object.keys(orderRanks) as DeliveryEvent[]).filter((other) => orderRanks[other]! > rank);
  const isNext = and(eq(deliveries.event, event), gt(deliveries.sequence, sequence));
  return or(isNext, inArray(deliveries.event, higher));
}

/**
 * When it was ordered, and whether a later state was sent or may have been: also one whose answer was lost, and one being
 * sent again.
 */
async function readOrder(delivery: ClaimedDelivery, kind: Destination) {
  const [order] = await db
    .select({
      createdAt: sales.createdAt,
      isOutdated: sql<boolean>`exists (select from ${deliveries} where ${isOfSubject(delivery)} and ${isLater(delivery, kind)}
        and (${wasAccepted} or attempts > 0))`,
    })
    .from(sales)
    .where(eq(sales.id, delivery.saleId!));
  return order ?? null;
}

function isOfSubject({ destinationId, subjectId, saleId }: ClaimedDelivery) {
  const sale = saleId ? eq(deliveries.saleId, saleId) : undefined;
  return and(eq(deliveries.destinationId, destinationId), eq(deliveries.subjectId, subjectId), sale);
}
