import { sql } from "drizzle-orm";
import { batchDb } from "#app/db/client.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import { countOrders, FIGURES } from "#app/domain/reports/funnel/count-orders.server.ts";
import { runEach } from "#app/queue/run-each.server.ts";

/** Days counted in one transaction. */
const DAYS_PER_BATCH = 31;

/** Updates the stored orders of every seller with marks. Scheduled; the funnel is exact without it too. */
export async function refreshFunnels(): Promise<void> {
  const sellers = await batchDb.execute<{ id: string }>(
    sql`select distinct seller_id as id from funnel_marks`,
  );
  const refreshAll = async ({ id }: { id: string }) => {
    while (await refreshSeller(id));
  };
  await runEach(sellers, refreshAll, "funnels not refreshed");
}

/**
 * Recounts the oldest marked days of one seller. Marks are deleted and copies written in one statement: what changes
 * meanwhile is in neither, and its own mark stays. The lock lets one run at a time write the copy.
 * @returns whether anything was marked
 */
async function refreshSeller(sellerId: string): Promise<boolean> {
  return batchDb.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`refresh-funnel/${sellerId}`}, 0))`);
    const statement = new Statement();
    const deleted = statement.add<"day">(
      "deleted",
      sql`delete from funnel_marks where seller_id = ${sellerId} and day in (
          select distinct day from funnel_marks where seller_id = ${sellerId} order by day limit ${DAYS_PER_BATCH}
        ) returning day`,
    );
    const markedDays = statement.add<"seller_id" | "day">(
      "marked_days",
      sql`select distinct s.id as seller_id, t.day from ${deleted} t inner join sellers s on s.id = ${sellerId}`,
    );
    statement.add(
      "old_days",
      sql`delete from funnel_orders f using ${markedDays} d where f.seller_id = d.seller_id and f.day = d.day`,
    );
    statement.add(
      "new_days",
      sql`insert into funnel_orders (seller_id, split, day, product_id, campaign, device, ${sql.raw(FIGURES.join(", "))})
        ${countOrders(markedDays)}`,
    );
    const [refreshed] = await tx.execute<{ marks: number }>(
      statement.selectFrom(deleted, sql`count(*)::int as marks`),
    );
    return refreshed!.marks > 0;
  });
}
