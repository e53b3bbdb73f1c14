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

/** How many rows were woken, as a column `woken`. */
export function wokenCount(woken: Cte<"id">): SQL {
  return sql`(select count(*) from ${woken})::int as woken`;
}

/**
 * Adds to a statement that records an attempt: wakes the subject's next delivery, unless this one is retried, and parked
 * ones of the destination for the call that is free now. One that is being parked at this very moment is missed, and runs by
 * itself a little later.
 */
export function addWakeNext(
  statement: Statement,
  { id, destinationId, subjectId }: ClaimedDelivery,
  { next, atOnce }: { next: boolean; atOnce: number },
): Cte<"id"> {
  const following = statement.add<"id">(
    "next",
    sql`select id from ${deliveries}
      where destination_id = ${destinationId} and subject_id = ${subjectId} and status = 'queued' and id <> ${id}
        and ${next} order by sequence, part limit 1`,
  );
  const parked = statement.add<"id">(
    "parked",
    sql`select id from ${deliveries}
      where destination_id = ${destinationId} and status = 'queued' and parked_at is not null order by sequence
      limit greatest(0, ${atOnce}::int - (select count(*) from ${deliveries} o where o.destination_id = ${destinationId}
        and o.status = 'queued' and o.leased_until > now() and o.id <> ${id}))
      for update skip locked`,
  );
  return statement.add<"id">(
    "woken",
    sql`update ${deliveries} set scheduled_at = now(), parked_at = null
      where id = any(array(select id from ${following} union select id from ${parked})) and status = 'queued'
        and (leased_until is null or leased_until <= now())
      returning id`,
  );
}

function endDeliveryUpdate(set: PgUpdateSetSource<typeof deliveries>, which: SQL | undefined) {
  return db
    .update(deliveries)
    .set({ ...set, leasedUntil: null, nextAttemptAt: null })
    .where(which)
    .returning({ id: deliveries.id });
}
