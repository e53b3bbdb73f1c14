import { type SQL, sql } from "drizzle-orm";
import { deliveries } from "#app/db/schema/deliveries.server.ts";
import { ORDER_RECORD_KINDS } from "#app/domain/delivery/destinations.server.ts";

// A queued delivery that may not start has no `scheduledAt`, so that no claim reads it. It waits either for another one of
// its subject (it is blocked), or for a call of its destination to end (it is parked, `parkedAt`). Whoever ends a delivery
// schedules what waited for it (`addWakeNext`), and what was missed by that, because both happened at the same moment, a second
// later. What a process that died should have scheduled, `wakeMissed` schedules.

/**
 * Whether a row of `deliveries` is queued, where it is found by no destination's schedule: the index by subject holds those rows
 * alone (docs/decisions/rows-are-their-own-queue.md).
 * @param row the table's name in the statement
 */
export const isQueued = (row = sql`o`): SQL =>
  sql`${row}.status = 'queued' and ${row}.subject_id > '00000000-0000-0000-0000-000000000000'`;

const mustEnd = sql`not (d.kind = any(${ORDER_RECORD_KINDS}) and coalesce(o.next_attempt_at > now(), false))`;

/**
 * Whether another delivery of the subject goes before delivery `c` to destination `d`: one that is being sent, or an earlier
 * one. A pending retry blocks later events, unless the destination accepts a newer state in its place.
 */
export const isBlocked = sql`coalesce((select true from ${deliveries} o
  where o.seller_id = c.seller_id and o.destination_id = c.destination_id and o.subject_id = c.subject_id and o.status = 'queued' and o.id <> c.id
    and (o.leased_until > now() or ((o.sequence, o.part) < (c.sequence, c.part) and ${mustEnd})) limit 1), false)`;

/** The same for a delivery of this subject that is being queued, after all others. */
export function isQueuedBehind(subjectId: SQL): SQL {
  return sql`coalesce((select true from ${deliveries} o where o.seller_id = d.seller_id and o.destination_id = d.id and o.subject_id = ${subjectId}
    and o.status = 'queued' and (o.leased_until > now() or ${mustEnd}) limit 1), false)`;
}

/** Whether deliveries to destination `d` are parked. */
export const hasParked = sql`coalesce((select true from ${deliveries} o where o.seller_id = d.seller_id and o.destination_id = d.id
  and o.status = 'queued' and o.parked_at is not null limit 1), false)`;
