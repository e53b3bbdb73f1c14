import { and, eq, gt, inArray, or, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { batch } from "#app/db/batcher.server.ts";
import { db, type Tx } from "#app/db/client.server.ts";
import { anyOf } from "#app/db/conditions.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import type { SendingKind } from "#app/domain/delivery/destination.ts";
import { type ClaimedDelivery, isClaimedBy } from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import {
  type EndedColumn,
  type EndedDelivery,
  isQueued,
  wakeLater,
  wakeNext,
} from "#app/domain/delivery/waiting.server.ts";

const DROPPED_AT_ONCE = 1000;
/** Accepted ones that share a statement, and how long the first waits for others, in milliseconds. */
const ENDS_AT_ONCE = 50;
const END_WAIT = 25;

/** Whether its destination accepted a row of `deliveries`: also one that is being sent again. */
export const wasAccepted = sql<boolean>`(${deliveries.status} = 'sent' or ${deliveries.attemptLog} @> '[{"result": "taken"}]')`;

/** Why not to send a delivery, as its row stores it; null where it should be sent. */
export async function findSkipReason(delivery: ClaimedDelivery, kind: SendingKind, now: Date) {
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
export async function isSuperseded(tx: Tx, delivery: ClaimedDelivery, kind: SendingKind): Promise<boolean> {
  if (!kind.orderRanks) return false;
  const [row] = await tx
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(isOfSubject(delivery), eq(deliveries.status, "queued"), isLater(delivery, kind)))
    .limit(1);
  return row !== undefined;
}

/** Whether a delivery of the order is of a higher-ranked event, or of the same one and after this one: its next partial refund. */
function isLater({ event, sequence }: ClaimedDelivery, { orderRanks = {} }: SendingKind) {
  const rank = orderRanks[event] ?? 0;
  const higher = (Object.keys(orderRanks) as DeliveryEvent[]).filter((other) => orderRanks[other]! > rank);
  const isNext = and(eq(deliveries.event, event), gt(deliveries.sequence, sequence));
  return or(isNext, inArray(deliveries.event, higher));
}

/**
 * When it was ordered, and whether a later state was sent or may have been: also one whose answer was lost, and one being
 * sent again.
 */
async function readOrder(delivery: ClaimedDelivery, kind: SendingKind) {
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

type Unsent = { status: "too_late" | "refused" | "dropped"; reason: string | null };

/** Ends a delivery that is not sent. @returns whether other deliveries became due by that */
export async function endDelivery(delivery: ClaimedDelivery, end: Unsent): Promise<boolean> {
  const statement = new Statement();
  const ended = statement.add<EndedColumn>(
    "ended",
    endUnsent(end).where(isClaimedBy(delivery)).returning(ENDED),
  );
  const isMore = await wakeNext(db, statement, ended);
  wakeLater(delivery);
  return isMore;
}

/** Ends all that is queued for a stopped destination, this delivery first. */
export async function endOfStopped(delivery: ClaimedDelivery): Promise<void> {
  const end = { status: "dropped", reason: "stopped" } as const;
  await endDelivery(delivery, end);
  const { sellerId, destinationId } = delivery;
  const others = sql`${deliveries.id} = any(array(select o.id from ${deliveries} o inner join ${destinations} d on d.id = o.destination_id
    where o.seller_id = ${sellerId} and o.destination_id = ${destinationId} and ${isQueued()}
      and d.stopped_at is not null and (o.leased_until is null or o.leased_until <= now()) limit ${DROPPED_AT_ONCE} for update of o skip locked))`;
  while ((await endUnsent(end).where(others).returning(ENDED)).length === DROPPED_AT_ONCE);
}

/** The attempt by which a delivery was accepted. */
type LastAttempt = Required<
  Pick<typeof deliveries.$inferInsert, "reason" | "responseStatus" | "responseBody" | "attemptLog">
>;

type Accepted = { delivery: EndedDelivery; destination: { updatedAt: Date }; attempt: LastAttempt };

/**
 * Ends a delivery that was accepted, whoever holds the lease by now, without locking its destination first. Those that end
 * at almost the same time share a statement. That the destination fails ends with it, unless its seller saved it since it was
 * read: the previous receiver may have accepted, while the current one fails. @returns as `endDelivery`
 */
export const endAsSent = batch<Accepted, boolean>(
  ENDS_AT_ONCE,
  async (group) => {
    const values = group.map(({ delivery, destination, attempt }) => ({
      ...{ id: delivery.id, to: delivery.destinationId, savedAt: destination.updatedAt },
      ...attempt,
    }));
    const statement = new Statement();
    const accepted = statement.add<"id" | "to" | "savedAt">(
      "accepted",
      sql`select * from jsonb_to_recordset(${JSON.stringify(values)}::text::jsonb) as e(id uuid, "to" uuid, "savedAt" timestamptz,
        reason text, "responseStatus" int, "responseBody" text, "attemptLog" jsonb)`,
    );
    const ended = statement.add<EndedColumn>(
      "ended",
      endUpdate({
        status: "sent",
        reason: sql`e.reason`,
        responseStatus: sql`e."responseStatus"`,
        responseBody: unlessCleared(sql`e."responseBody"`),
        attemptLog: sql`e."attemptLog"`,
      })
        .from(sql`(select * from ${accepted} order by id) e`)
        .where(
          and(
            anyOf(
              deliveries.id,
              values.map(({ id }) => id),
            ),
            sql`${deliveries.id} = e.id and ${deliveries.status} <> 'sent'`,
          ),
        )
        .returning(ENDED),
    );
    statement.add(
      "reached",
      sql`update ${destinations} set failing_since = null, backoff_until = null
        where id = any(array(select destination_id from ${ended})) and failing_since is not null and (id, updated_at) in (
          select "to", "savedAt" from ${accepted} where id in (select id from ${ended}))`,
    );
    const isMore = await wakeNext(db, statement, ended);
    for (const { delivery } of group) wakeLater(delivery);
    return group.map(() => isMore);
  },
  { waitMs: END_WAIT },
);

/** The answer, unless its row was cleared while the call lasted: the buyer's data was erased, which an answer may repeat. */
export function unlessCleared(answer: SQL): SQL {
  return sql`case when ${deliveries.clearedAt} is null then ${answer} end`;
}

const ENDED = {
  id: deliveries.id,
  seller_id: deliveries.sellerId,
  destination_id: deliveries.destinationId,
  subject_id: deliveries.subjectId,
};

/** What was accepted, and queued again, stays accepted where nothing was sent since. */
function endUnsent({ status, reason }: Unsent) {
  const isAccepted = sql`${deliveries.attempts} = 0 and ${wasAccepted}`;
  return endUpdate({ status: sql`case when ${isAccepted} then 'sent' else ${status}::text end`, reason });
}

function endUpdate(set: PgUpdateSetSource<typeof deliveries>) {
  return db.update(deliveries).set({ ...set, leasedUntil: null, nextAttemptAt: null });
}
