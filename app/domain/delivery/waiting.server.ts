import { type SQL, sql } from "drizzle-orm";
import { batch } from "#app/db/batcher.server.ts";
import { db, type Tx } from "#app/db/client.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import { type Cte, Statement } from "#app/db/statement.server.ts";
import { ORDER_RECORD_KINDS } from "#app/domain/delivery/destinations.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob } from "#app/queue/job.server.ts";

// A queued delivery that may not start has no `scheduledAt`, so that no claim reads it. It waits either for another one of
// its subject (it is blocked), or for a call of its destination to end (it is parked, `parkedAt`). Whoever ends a delivery
// schedules what waited for it (`wakeNext`), and what was missed by that, because both happened at the same moment, a second
// later. What a process that died should have scheduled, `wakeMissed` schedules.

/** Concurrent calls per destination, so that a slow one does not occupy the workers. */
export const MAX_CALLS = 3;
/** The same while it is failing, as `claim` counts them. Claims of the same moment may make up to `MAX_CALLS` together. */
export const MAX_CALLS_WHILE_FAILING = 1;
/** Deliveries that `wakeAgain` looks at in one statement. */
const ENDS_AT_ONCE = 50;
/** How long after an end `wakeAgain` looks, in milliseconds: what began to wait meanwhile is committed by then. */
const WAKE_AGAIN_WAIT = SECOND;
/** Rows that `wakeMissed` schedules at once. */
const BATCH_SIZE = 1000;

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

/** How many calls destination `d` may receive now, beside those in flight. */
export const freeCalls = sql`(case when d.failing_since is null then ${MAX_CALLS}::int else ${MAX_CALLS_WHILE_FAILING}::int end
  - (select count(*) from ${deliveries} o
    where o.seller_id = d.seller_id and o.destination_id = d.id and o.status = 'queued' and o.leased_until > now()))`;

/** What `wakeNext` reads of deliveries that ended. */
export type EndedColumn = "id" | "seller_id" | "destination_id" | "subject_id";

/**
 * Runs a statement that records attempts, and schedules in it what waited for them. A subject's next delivery, unless the one
 * before it is retried first, joins the parked ones of its destination, of which as many as there are free calls are
 * scheduled. Those that were and are not claimed yet are still parked, and count. One that begins to wait at this very
 * moment is missed: `wakeLater`.
 * @returns whether deliveries became due by it
 */
export async function wakeNext(
  tx: Tx | typeof db,
  statement: Statement,
  ended: Cte<EndedColumn>,
  { next, atOnce } = { next: true, atOnce: MAX_CALLS },
): Promise<boolean> {
  const isOther = sql`o.id <> all(array(select id from ${ended}))`;
  const freed = statement.add<"seller_id" | "destination_id" | "free">(
    "freed",
    sql`select e.seller_id, e.destination_id, greatest(0, ${atOnce}::int - (select count(*) from ${deliveries} o
        where o.seller_id = e.seller_id and o.destination_id = e.destination_id and o.status = 'queued' and o.leased_until > now()
          and ${isOther})) as free
      from (select distinct seller_id, destination_id from ${ended}) e`,
  );
  const following = statement.add<"id" | "sequence" | "destination_id">(
    "following",
    sql`select o.* from (select distinct seller_id, destination_id, subject_id from ${ended}) e cross join lateral (
      select o.id, o.sequence, o.destination_id from ${deliveries} o
      where o.seller_id = e.seller_id and o.destination_id = e.destination_id and o.subject_id = e.subject_id and o.status = 'queued' and ${isOther}
        and o.scheduled_at is null and ${next} order by o.sequence, o.part limit 1) o`,
  );
  const parked = statement.add<"id" | "sequence" | "destination_id">(
    "parked",
    sql`select o.* from ${freed} f cross join lateral (
      select o.id, o.sequence, o.destination_id from ${deliveries} o
      where o.seller_id = f.seller_id and o.destination_id = f.destination_id and o.status = 'queued' and o.parked_at is not null
      order by o.sequence limit f.free for update skip locked) o`,
  );
  const due = statement.add<"id">(
    "due",
    sql`select w.id from (
      select *, row_number() over (partition by destination_id order by sequence) as nth
      from (select * from ${following} union select * from ${parked}) waiting
    ) w inner join ${freed} f on f.destination_id = w.destination_id where w.nth <= f.free`,
  );
  const woken = statement.add<"scheduled_at">(
    "woken",
    sql`update ${deliveries} set parked_at = coalesce(parked_at, now()),
        scheduled_at = case when id = any(array(select id from ${due})) then now() end
      where id = any(array(select id from ${following} union select id from ${due})) and status = 'queued' and scheduled_at is null
      returning scheduled_at`,
  );
  const counted = statement.add("counted", sql`select count(scheduled_at)::int as woken from ${woken}`);
  const [row] = await tx.execute<{ woken: number }>(statement.selectFrom(counted, sql`woken`));
  return row!.woken > 0;
}

/** A delivery that has ended. */
export type EndedDelivery = Pick<
  typeof deliveries.$inferSelect,
  "id" | "sellerId" | "destinationId" | "subjectId"
>;

/**
 * Schedules once more what waited for a delivery that has ended: what began to wait in the moment of its end was seen by
 * neither. If this process dies before, `wakeMissed` does it.
 */
export function wakeLater({ id, sellerId, destinationId, subjectId }: EndedDelivery): void {
  const ended = { id, seller_id: sellerId, destination_id: destinationId, subject_id: subjectId };
  wakeAgain(ended).catch((error: unknown) =>
    log.warn({ err: error }, "waiting deliveries not looked at again"),
  );
}

const wakeAgain = batch<Record<EndedColumn, string>, boolean>(
  ENDS_AT_ONCE,
  async (group) => {
    const statement = new Statement();
    const ended = statement.add<EndedColumn>(
      "ended",
      sql`select * from jsonb_to_recordset(${JSON.stringify(group)}::text::jsonb)
        as e(id uuid, seller_id uuid, destination_id uuid, subject_id uuid)`,
    );
    const isMore = await wakeNext(db, statement, ended);
    return group.map(() => isMore);
  },
  { waitMs: WAKE_AGAIN_WAIT, concurrency: 1 },
);

/**
 * Every minute: schedules deliveries that wait for nothing. They began to wait at the moment when what they waited for
 * ended, or their destination was stopped meanwhile.
 */
export const wakeMissed = defineJob<Record<string, never>>("wake-missed", async () => {
  await db.execute(sql`
    update ${deliveries} set scheduled_at = now() where status = 'queued' and scheduled_at is null and id = any(array(
      select c.id from (select * from ${deliveries} o where ${isQueued()} and o.scheduled_at is null and o.parked_at is null) c
        inner join ${destinations} d on d.id = c.destination_id
      where not ${isBlocked} limit ${BATCH_SIZE}))`);
  // One look-up for each destination that something is queued for, however much that is.
  await db.execute(sql`
    with recursive addressed(id) as (
      (select o.destination_id from ${deliveries} o where ${isQueued()} order by o.destination_id limit 1)
      union all
      select (select o.destination_id from ${deliveries} o where ${isQueued()} and o.destination_id > a.id
        order by o.destination_id limit 1) from addressed a where a.id is not null
    ), missed as (
      select waiting.id from addressed a inner join ${destinations} d on d.id = a.id
        cross join lateral (select id, scheduled_at from ${deliveries} p
          where p.seller_id = d.seller_id and p.destination_id = d.id and p.status = 'queued' and p.parked_at is not null
          order by p.sequence limit greatest(0, ${freeCalls})) waiting
      where waiting.scheduled_at is null and (d.backoff_until is null or d.backoff_until <= now())
      union all
      select o.id from addressed a inner join ${destinations} d on d.id = a.id
        cross join lateral (select o.id from ${deliveries} o where o.seller_id = d.seller_id and o.destination_id = d.id and ${isQueued()}
          and (o.scheduled_at is null or o.scheduled_at > now()) and (o.leased_until is null or o.leased_until <= now()) limit 1) o
      where d.stopped_at is not null
    )
    update ${deliveries} set scheduled_at = now() where status = 'queued' and id = any(array(select id from missed))`);
});
