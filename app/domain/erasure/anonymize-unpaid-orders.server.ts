import { type SQL, sql } from "drizzle-orm";
import { batchDb } from "#app/db/client.server.ts";
import { isLeftUnpaid } from "#app/domain/erasure/anonymization-conditions.server.ts";
import { anonymizeSales, BATCH_SIZE } from "#app/domain/erasure/anonymize-sales.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob } from "#app/queue/job.server.ts";
import { FIRST_CURSOR, readIds } from "#app/queue/read-batches.server.ts";
import { runBatches } from "#app/queue/run-each.server.ts";

/** How long an unpaid order is stored with its buyer's data: for a late payment, and for the buyer's questions. */
export const UNPAID_RETENTION = 30 * DAY;

/** Overdue orders, the oldest first, along the index of only such orders. */
export const overdueOrdersSql = (): SQL => sql`
  from sales s where s.completed_at is null and s.anonymized_at is null
    and s.created_at < now() - make_interval(secs => ${UNPAID_RETENTION / 1000}) and ${isLeftUnpaid}`;

/**
 * Every hour: anonymizes orders that were not paid within 30 days, except those that hold money or can be paid now. A later
 * payment is still booked, without a buyer.
 */
export const anonymizeUnpaidOrders = defineJob<Record<string, never>>("empty-unpaid", async () => {
  let orders = 0;
  const anonymize = async (ids: string[]) => {
    orders += (await anonymizeSales(ids, isLeftUnpaid, null)).length;
  };
  await runBatches(listBatches(), anonymize, "unpaid orders not anonymized").finally(() => {
    if (orders > 0) log.info({ orders }, "persons taken out of unpaid orders");
  });
});

/** Batches of overdue orders, until the process stops. Those that are locked or fail wait for the next run. */
function listBatches(): AsyncGenerator<string[]> {
  return readIds(FIRST_CURSOR, BATCH_SIZE, async (cursor) =>
    batchDb.execute<typeof cursor>(sql`
      select s.id, s.created_at::text as at ${overdueOrdersSql()}
        and s.created_at >= ${cursor.at}::text::timestamptz and (s.created_at, s.id) > (${cursor.at}::text::timestamptz, ${cursor.id}::uuid)
      order by s.created_at, s.id limit ${BATCH_SIZE}`),
  );
}
