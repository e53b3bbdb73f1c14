import { and, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { batch } from "#app/db/batcher.server.ts";
import { db, type Tx } from "#app/db/client.server.ts";
import { anyOf } from "#app/db/conditions.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import { type Cte, Statement } from "#app/db/statement.server.ts";
import {
  type ClaimedDelivery,
  isClaimedBy,
  MAX_CALLS,
} from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { isQueued } from "#app/domain/delivery/waiting.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";

const DROPPED_AT_ONCE = 1000;
/** Accepted ones that share a statement, and how long the first waits for others, in milliseconds. */
const ENDS_AT_ONCE = 50;
const END_WAIT = 25;
/** How long after an end `wakeAgain` looks, in milliseconds: what began to wait meanwhile is committed by then. */
const WAKE_AGAIN_WAIT = SECOND;

/** Ends a delivery that is not sent. @returns whether other deliveries became due by that */
export async function endDelivery(
  delivery: ClaimedDelivery,
  end: { status: "too_late" | "refused" | "dropped"; reason: string | null },
): Promise<boolean> {
  const statement = new Statement();
  const ended = statement.add<EndedColumn>(
    "ended",
    endUpdate(end).where(isClaimedBy(delivery)).returning(ENDED),
  );
  const woken = addWakeNext(statement, ended, { next: true, atOnce: MAX_CALLS });
  const isMore = await wakes(db, statement, woken);
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
  while ((await endUpdate(end).where(others).returning(ENDED)).length === DROPPED_AT_ONCE);
}

/**
 * Schedules once more what waited for a delivery that has ended: what began to wait in the moment of its end was seen by
 * neither. If this process dies before, `wakeMissed` does it.
 */
function wakeLater({ id, sellerId, destinationId, subjectId }: EndedDelivery): void {
  const ended = { id, seller_id: sellerId, destination_id: destinationId, subject_id: subjectId };
  wakeAgain(ended).catch((error: unknown) =>
    log.warn({ err: error }, "waiting deliveries not looked at again"),
  );
}

type EndedDelivery = Pick<ClaimedDelivery, "id" | "sellerId" | "destinationId" | "subjectId">;

const wakeAgain = batch<Record<EndedColumn, string>, boolean>(
  ENDS_AT_ONCE,
  async (group) => {
    const statement = new Statement();
    const ended = statement.add<EndedColumn>(
      "ended",
      sql`select * from jsonb_to_recordset(${JSON.stringify(group)}::text::jsonb)
        as e(id uuid, seller_id uuid, destination_id uuid, subject_id uuid)`,
    );
    const woken = addWakeNext(statement, ended, { next: true, atOnce: MAX_CALLS });
    const isMore = await wakes(db, statement, woken);
    return group.map(() => isMore);
  },
  { waitMs: WAKE_AGAIN_WAIT, concurrency: 1 },
);

/** The attempt by which a delivery was accepted. */
type LastAttempt = Required<
  Pick<typeof deliveries.$inferInsert, "reason" | "responseStatus" | "responseBody" | "attemptLog">
>;

/**
 * Ends a delivery that was accepted, whoever holds the lease by now, without locking its destination first. Those that end
 * at almost the same time share a statement. @returns as `endDelivery`
 */
export const endAsSent = batch<{ delivery: EndedDelivery; attempt: LastAttempt }, boolean>(
  ENDS_AT_ONCE,
  async (group) => {
    const values = group.map(({ delivery: { id }, attempt }) => ({ id, ...attempt }));
    const statement = new Statement();
    const ended = statement.add<EndedColumn>(
      "ended",
      endUpdate({
        status: "sent",
        reason: sql`e.reason`,
        responseStatus: sql`e."responseStatus"`,
        responseBody: sql`e."responseBody"`,
        attemptLog: sql`e."attemptLog"`,
      })
        .from(
          sql`(select * from jsonb_to_recordset(${JSON.stringify(values)}::text::jsonb) as e(id uuid, reason text,
            "responseStatus" int, "responseBody" text, "attemptLog" jsonb) order by id) e`,
        )
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
        where id = any(array(select destination_id from ${ended})) and failing_since is not null`,
    );
    const woken = addWakeNext(statement, ended, { next: true, atOnce: MAX_CALLS });
    const isMore = await wakes(db, statement, woken);
    for (const { delivery } of group) wakeLater(delivery);
    return group.map(() => isMore);
  },
  { waitMs: END_WAIT },
);

/** Runs a statement with `addWakeNext`. @returns whether deliveries became due by it */
export async function wakes(
  tx: Tx | typeof db,
  statement: Statement,
  woken: Cte<"scheduled_at">,
): Promise<boolean> {
  const [row] = await tx.execute<{ woken: number }>(
    statement.selectFrom(
      statement.add("counted", sql`select count(scheduled_at)::int as woken from ${woken}`),
      sql`woken`,
    ),
  );
  return row!.woken > 0;
}

/** What `addWakeNext` reads of deliveries that ended. */
export type EndedColumn = "id" | "seller_id" | "destination_id" | "subject_id";

/**
 * Adds to a statement that records attempts: schedules what waited for them. A subject's next delivery, unless the one
 * before it is retried first, joins the parked ones of its destination, of which as many as there are free calls are
 * scheduled. Those that were and are not claimed yet are still parked, and count. One that begins to wait at this very
 * moment is missed: `wakeLater`.
 */
export function addWakeNext(
  statement: Statement,
  ended: Cte<EndedColumn>,
  { next, atOnce }: { next: boolean; atOnce: number },
): Cte<"scheduled_at"> {
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
  return statement.add<"scheduled_at">(
    "woken",
    sql`update ${deliveries} set parked_at = coalesce(parked_at, now()),
        scheduled_at = case when id = any(array(select id from ${due})) then now() end
      where id = any(array(select id from ${following} union select id from ${due})) and status = 'queued' and scheduled_at is null
      returning scheduled_at`,
  );
}

const ENDED = {
  id: deliveries.id,
  seller_id: deliveries.sellerId,
  destination_id: deliveries.destinationId,
  subject_id: deliveries.subjectId,
};

function endUpdate(set: PgUpdateSetSource<typeof deliveries>) {
  return db.update(deliveries).set({ ...set, leasedUntil: null, nextAttemptAt: null });
}
