import { type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { db } from "#app/db/client.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import { type Cte, Statement } from "#app/db/statement.server.ts";
import {
  type ClaimedDelivery,
  isClaimedBy,
  MAX_CALLS,
} from "#app/domain/delivery/sending/claim-deliveries.server.ts";

const DROPPED_AT_ONCE = 1000;

/** Ends a delivery that is not sent. @returns whether other deliveries became due by that */
export async function endDelivery(
  delivery: ClaimedDelivery,
  end: { status: "too_late" | "refused" | "dropped"; reason: string | null },
): Promise<boolean> {
  const statement = new Statement();
  const ended = statement.add("ended", endDeliveryUpdate(end, isClaimedBy(delivery)));
  const woken = addWakeNext(statement, delivery, { next: true, atOnce: MAX_CALLS });
  const [row] = await db.execute<{ woken: number }>(statement.selectFrom(ended, wokenCount(woken)));
  return (row?.woken ?? 0) > 0;
}

/** Ends all that is queued for a stopped destination, this delivery first. */
export async function endOfStopped(delivery: ClaimedDelivery): Promise<void> {
  const end = { status: "dropped", reason: "stopped" } as const;
  await endDelivery(delivery, end);
  const { destinationId } = delivery;
  const others = sql`${deliveries.id} = any(array(select o.id from ${deliveries} o inner join ${destinations} d on d.id = o.destination_id
    where o.destination_id = ${destinationId} and o.status = 'queued' and o.subject_id > '00000000-0000-0000-0000-000000000000'
      and d.stopped_at is not null and (o.leased_until is null or o.leased_until <= now()) limit ${DROPPED_AT_ONCE} for update of o skip locked))`;
  while ((await endDeliveryUpdate(end, others)).length === DROPPED_AT_ONCE);
}

/** Ends a delivery that was accepted, without locking its destination first. @returns as `endDelivery` */
export async function endAsSent(
  delivery: ClaimedDelivery,
  columns: PgUpdateSetSource<typeof deliveries>,
): Promise<boolean> {
  // Whoever holds the lease by now: it was accepted.
  const isNotYet = sql`${deliveries.id} = ${delivery.id} and ${deliveries.status} <> 'sent'`;
  const statement = new Statement();
  const ended = statement.add("ended", endDeliveryUpdate({ ...columns, status: "sent" }, isNotYet));
  statement.add(
    "reached",
    sql`update ${destinations} set failing_since = null, backoff_until = null
      where id = ${delivery.destinationId} and (failing_since is not null or backoff_until is not null)
        and exists (select from ${ended})`,
  );
  const woken = addWakeNext(statement, delivery, { next: true, atOnce: MAX_CALLS });
  const [row] = await db.execute<{ woken: number }>(statement.selectFrom(ended, wokenCount(woken)));
  return (row?.woken ?? 0) > 0;
}

/** How many rows were scheduled, as a column `woken`. */
export function wokenCount(woken: Cte<"scheduled_at">): SQL {
  return sql`(select count(scheduled_at) from ${woken})::int as woken`;
}

/**
 * Adds to a statement that records an attempt: schedules what waited for it. The subject's next delivery, unless this one
 * is retried first, joins the parked ones of the destination, of which as many as there are free calls are scheduled. Those
 * that were and are not claimed yet are still parked, and count. One that begins to wait at this very moment is missed:
 * `wakeMissed`.
 */
export function addWakeNext(
  statement: Statement,
  { id, destinationId, subjectId }: ClaimedDelivery,
  { next, atOnce }: { next: boolean; atOnce: number },
): Cte<"scheduled_at"> {
  const free = sql`greatest(0, ${atOnce}::int - (select count(*) from ${deliveries} o
    where o.destination_id = ${destinationId} and o.status = 'queued' and o.leased_until > now() and o.id <> ${id}))`;
  const following = statement.add<"id" | "sequence">(
    "following",
    sql`select id, sequence from ${deliveries}
      where destination_id = ${destinationId} and subject_id = ${subjectId} and status = 'queued' and id <> ${id}
        and scheduled_at is null and ${next} order by sequence, part limit 1`,
  );
  const parked = statement.add<"id" | "sequence">(
    "parked",
    sql`select id, sequence from ${deliveries}
      where destination_id = ${destinationId} and status = 'queued' and parked_at is not null order by sequence limit ${free}
      for update skip locked`,
  );
  const due = statement.add<"id">(
    "due",
    sql`select id from (select * from ${following} union select * from ${parked}) waiting order by sequence limit ${free}`,
  );
  return statement.add<"scheduled_at">(
    "woken",
    sql`update ${deliveries} set parked_at = coalesce(parked_at, now()),
        scheduled_at = case when id = any(array(select id from ${due})) then now() end
      where id = any(array(select id from ${following} union select id from ${due})) and status = 'queued' and scheduled_at is null
      returning scheduled_at`,
  );
}

function endDeliveryUpdate(set: PgUpdateSetSource<typeof deliveries>, which: SQL | undefined) {
  return db
    .update(deliveries)
    .set({ ...set, leasedUntil: null, nextAttemptAt: null })
    .where(which)
    .returning({ id: deliveries.id });
}
