import { type SQL, sql } from "drizzle-orm";
import { adHoc } from "#app/db/client.server.ts";
import { AT_ONCE, emptySales } from "#app/domain/erasure/empty-sales.server.ts";
import { isLeftUnpaid } from "#app/domain/erasure/may-empty.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { isStopping } from "#app/platform/shutdown.server.ts";
import { defineJob } from "#app/queue/job.server.ts";

/** How long the person of an order that nobody paid is kept: for a late payment, and for the buyer's questions. */
export const UNPAID_KEPT_FOR = 30 * DAY;

/** Orders whose person should have gone, the oldest first, along the index that holds such orders alone. */
export const overdueOrders = (): SQL => sql`
  from sales s where s.completed_at is null and s.emptied_at is null
    and s.created_at < now() - make_interval(secs => ${UNPAID_KEPT_FOR / 1000}) and ${isLeftUnpaid}`;

/**
 * Every hour: takes the person out of orders that nobody paid within 30 days. One that holds money, or can be paid just now,
 * keeps its person; a payment that comes later all the same is booked as ever, without one.
 */
export const emptyUnpaid = defineJob<Record<string, never>>("empty-unpaid", async () => {
  let orders = 0;
  for (let last: Last | null = FIRST; last && !isStopping(); ) {
    const done = await emptyBatch(last);
    orders += done.emptied;
    last = done.last;
  }
  if (orders > 0) log.info({ orders }, "persons taken out of unpaid orders");
});

type Last = { at: string; id: string };
const FIRST: Last = { at: "-infinity", id: "00000000-0000-0000-0000-000000000000" };

/**
 * One batch behind `last`. What somebody holds is left for the next hour.
 * @returns how many were emptied, and the last one looked at; null where there are no more
 */
async function emptyBatch(last: Last): Promise<{ emptied: number; last: Last | null }> {
  const due = await adHoc.execute<Last>(sql`
    select s.id, s.created_at::text as at ${overdueOrders()}
      and s.created_at >= ${last.at}::text::timestamptz and (s.created_at, s.id) > (${last.at}::text::timestamptz, ${last.id}::uuid)
    order by s.created_at, s.id limit ${AT_ONCE}`);
  const ids = due.map(({ id }) => id);
  const emptied = await emptySales(ids, isLeftUnpaid, null);
  return { emptied: emptied.length, last: due.length === AT_ONCE ? due.at(-1)! : null };
}
