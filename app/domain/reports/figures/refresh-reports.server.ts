import { sql } from "drizzle-orm";
import { batchDb } from "#app/db/client.server.ts";
import { DIMENSIONS } from "#app/db/schema/reports.server.ts";
import { type Cte, Statement } from "#app/db/statement.server.ts";
import { figuresSql } from "#app/domain/reports/figures/figures.server.ts";
import { isOfBuyerSql } from "#app/domain/reports/figures/is-of-buyer.ts";
import { refreshFunnels } from "#app/domain/reports/funnel/refresh-funnel.server.ts";
import { defineJob } from "#app/queue/job.server.ts";
import { runEach } from "#app/queue/run-each.server.ts";

/** Days counted in one transaction: short enough not to block others on a shop with years to count. */
const DAYS_PER_BATCH = 31;

/** Updates the stored figures and funnels of every seller with marks. Scheduled; reports are exact without it too. */
export const refreshReports = defineJob("refresh-reports", () =>
  runEach([refreshFigures, refreshFunnels], (refresh) => refresh(), "reports not refreshed"),
);

async function refreshFigures(): Promise<void> {
  const sellers = await batchDb.execute<{ id: string }>(
    sql`select distinct seller_id as id from report_marks`,
  );
  const refreshAll = async ({ id }: { id: string }) => {
    while (await refreshSeller(id));
  };
  await runEach(sellers, refreshAll, "figures not refreshed");
}

/**
 * Recounts the oldest marked days of one seller, and the buyers marked on them. Marks are deleted and copies written in one
 * statement: a sale changed meanwhile is in neither, and its own mark stays. The lock lets one run at a time write the copy.
 * @returns whether anything was marked
 */
async function refreshSeller(sellerId: string): Promise<boolean> {
  return batchDb.transaction(async (tx) => {
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`refresh-reports/${sellerId}`}, 0))`,
    );
    const statement = new Statement();
    const deleted = statement.add<"day" | "email">(
      "deleted",
      sql`delete from report_marks where seller_id = ${sellerId} and day in (
          select distinct day from report_marks where seller_id = ${sellerId} order by day limit ${DAYS_PER_BATCH}
        ) returning day, email`,
    );
    addDays(statement, sellerId, deleted);
    addBuyers(statement, sellerId, deleted);
    const [refreshed] = await tx.execute<{ marks: number }>(
      statement.selectFrom(deleted, sql`count(*)::int as marks`),
    );
    return refreshed!.marks > 0;
  });
}

/** Adds the new figures of the marked days. */
function addDays(statement: Statement, sellerId: string, deleted: Cte<"day">): void {
  const markedDays = statement.add<"seller_id" | "day">(
    "marked_days",
    sql`select distinct ${sellerId}::uuid as seller_id, day from ${deleted}`,
  );
  statement.add(
    "old_days",
    sql`delete from report_days r using ${markedDays} d where r.seller_id = d.seller_id and r.day = d.day`,
  );
  statement.add(
    "new_days",
    sql`insert into report_days (seller_id, day, dimension, key, created, converted, sold, revenue_cents, net_cents, fee_cents,
        without_fee, with_bump, upsells, discount_cents, mails, mails_sent, mails_failed, mail_attempts)
      ${sql.join(
        DIMENSIONS.map((dimension) => figuresSql(dimension, markedDays)),
        sql` union all `,
      )}`,
  );
}

/** Adds the last purchases of the marked buyers, and on which days how many bought last. */
function addBuyers(statement: Statement, sellerId: string, deleted: Cte<"email">): void {
  const bought = statement.add<"email" | "was" | "last">(
    "bought",
    sql`select m.email, b.last_completed_at as was, max(s.completed_at) as last
      from (select distinct email from ${deleted} where email is not null) m
      left join report_buyers b on b.seller_id = ${sellerId} and b.email = m.email
      left join sales s on s.seller_id = ${sellerId} and ${isOfBuyerSql} and s.status = 'completed'
      group by m.email, b.last_completed_at`,
  );
  statement.add(
    "buyer_days",
    sql`insert into report_buyer_days (seller_id, day, buyers)
      select ${sellerId}, day, sum(change) from (
        select (was at time zone 'America/Sao_Paulo')::date as day, -1 as change from ${bought} where was is not null
        union all select (last at time zone 'America/Sao_Paulo')::date, 1 from ${bought} where last is not null
      ) changes group by day having sum(change) <> 0
      on conflict (seller_id, day) do update set buyers = report_buyer_days.buyers + excluded.buyers`,
  );
  statement.add(
    "new_buyers",
    sql`insert into report_buyers (seller_id, email, last_completed_at)
      select ${sellerId}, email, last from ${bought} where last is not null
      on conflict (seller_id, email) do update set last_completed_at = excluded.last_completed_at`,
  );
  statement.add(
    "lost_buyers",
    sql`delete from report_buyers where seller_id = ${sellerId} and email = any (array(select email from ${bought} where last is null))`,
  );
}
