import { type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { db } from "#app/db/client.server.ts";
import { destinations, outbox } from "#app/db/schema/outbox.server.ts";
import { type Cte, Statement } from "#app/db/statement.server.ts";
import { AT_ONCE, type ClaimedNews, isClaimedBy } from "#app/domain/outbox/telling/claim-news.server.ts";

/** Ends what there is nothing to say of. @returns whether other news became due by that */
export async function endNews(
  news: ClaimedNews,
  end: { status: "too_late" | "refused" | "dropped"; why: string | null },
): Promise<boolean> {
  const statement = new Statement();
  const ended = statement.add("ended", endOf(end, isClaimedBy(news)));
  const woken = addWaking(statement, news, { next: true, atOnce: AT_ONCE });
  const [row] = await db.execute<{ woken: number }>(statement.selectFrom(ended, countOf(woken)));
  return (row?.woken ?? 0) > 0;
}

/** News that was taken, and nobody has to make up their mind about its destination. @returns as `endNews` */
export async function endAsTold(news: ClaimedNews, said: PgUpdateSetSource<typeof outbox>): Promise<boolean> {
  // Whoever holds the claim by now: what was taken is taken.
  const isNotYet = sql`${outbox.id} = ${news.id} and ${outbox.status} <> 'sent'`;
  const statement = new Statement();
  const ended = statement.add("ended", endOf({ ...said, status: "sent" }, isNotYet));
  statement.add(
    "reached",
    sql`update ${destinations} set failing_since = null, rest_until = null
      where id = ${news.destinationId} and (failing_since is not null or rest_until is not null)
        and exists (select from ${ended})`,
  );
  const woken = addWaking(statement, news, { next: true, atOnce: AT_ONCE });
  const [row] = await db.execute<{ woken: number }>(statement.selectFrom(ended, countOf(woken)));
  return (row?.woken ?? 0) > 0;
}

/** How many rows became due, as a column `woken`. */
export function countOf(woken: Cte<"id">): SQL {
  return sql`(select count(*) from ${woken})::int as woken`;
}

/**
 * Adds to a statement that books how a try went: what waited for it becomes due. That is the subject's next, where there
 * is nothing more to try, and what is parked for the place that becomes free. Should one be missed that is being parked in
 * this very moment, it is due by itself a little later.
 */
export function addWaking(
  statement: Statement,
  { id, destinationId, subjectId }: ClaimedNews,
  { next, atOnce }: { next: boolean; atOnce: number },
): Cte<"id"> {
  const following = statement.add<"id">(
    "next",
    sql`select id from ${outbox}
      where destination_id = ${destinationId} and subject_id = ${subjectId} and status = 'queued' and id <> ${id}
        and ${next} order by place, part limit 1`,
  );
  const parked = statement.add<"id">(
    "parked",
    sql`select id from ${outbox}
      where destination_id = ${destinationId} and status = 'queued' and parked_at is not null order by place
      limit greatest(0, ${atOnce}::int - (select count(*) from ${outbox} o where o.destination_id = ${destinationId}
        and o.status = 'queued' and o.claimed_until > now() and o.id <> ${id}))
      for update skip locked`,
  );
  return statement.add<"id">(
    "woken",
    sql`update ${outbox} set due_at = now(), parked_at = null
      where id = any(array(select id from ${following} union select id from ${parked})) and status = 'queued'
        and (claimed_until is null or claimed_until <= now())
      returning id`,
  );
}

function endOf(set: PgUpdateSetSource<typeof outbox>, which: SQL | undefined) {
  return db
    .update(outbox)
    .set({ ...set, claimedUntil: null, nextAt: null })
    .where(which)
    .returning({ id: outbox.id });
}
