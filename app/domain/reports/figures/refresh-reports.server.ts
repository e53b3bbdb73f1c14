import { sql } from "drizzle-orm";
import { adHoc } from "#app/db/client.server.ts";
import { DIMENSIONS } from "#app/db/schema/reports.server.ts";
import { figures } from "#app/domain/reports/figures/figures.server.ts";
import { isOfBuyer } from "#app/domain/reports/figures/is-of-buyer.ts";
import { refreshFunnels } from "#app/domain/reports/funnel/refresh-funnel.server.ts";
import { defineJob } from "#app/queue/job.server.ts";

/** Days counted in one transaction: short enough to be in nobody's way on a shop with years to count. */
const BATCH = 31;

/** Brings the kept figures and funnels of every seller with marks up to date. By the clock; reports are exact without it too. */
export const refreshReports = defineJob("refresh-reports", async () => {
  const sellers = await adHoc.execute<{ id: string }>(sql`select distinct seller_id as id from report_marks`);
  for (const { id } of sellers) while (await refreshSeller(id));
  await refreshFunnels();
});

/**
 * Counts the oldest marked days of one seller, and the buyers marked on them, anew. Marks go and copies come in one
 * statement: a sale changed meanwhile is in neither, its own mark stays. The lock lets one run at a time write the copy.
 * @returns whether anything was marked
 */
async function refreshSeller(sellerId: string): Promise<boolean> {
  return adHoc.transaction(async (tx) => {
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`refresh-reports/${sellerId}`}, 0))`,
    );
    const marked = sql.raw("marked_days");
    const fresh = sql.join(
      DIMENSIONS.map((dimension) => figures(dimension, marked)),
      sql` union all `,
    );
    const [done] = await tx.execute<{ marks: number }>(sql`
      with taken as (
        delete from report_marks where seller_id = ${sellerId} and day in (
          select distinct day from report_marks where seller_id = ${sellerId} order by day limit ${BATCH}
        ) returning day, email
      ),
      marked_days as (select distinct ${sellerId}::uuid as seller_id, day from taken),
      marked_buyers as (select distinct email from taken where email is not null),
      old_days as (
        delete from report_days r using marked_days d where r.seller_id = d.seller_id and r.day = d.day
      ),
      new_days as (
        insert into report_days (seller_id, day, dimension, key, created, converted, sold, revenue_cents, net_cents, with_bump,
          offers, mails, mails_sent, mails_failed, mail_tries)
        ${fresh}
      ),
      bought as (
        select m.email, b.last_completed_at as was, max(s.completed_at) as last from marked_buyers m
        left join report_buyers b on b.seller_id = ${sellerId} and b.email = m.email
        left join sales s on s.seller_id = ${sellerId} and ${isOfBuyer} and s.status = 'completed'
        group by m.email, b.last_completed_at
      ),
      buyer_days as (
        insert into report_buyer_days (seller_id, day, buyers)
        select ${sellerId}, day, sum(change) from (
          select (was at time zone 'America/Sao_Paulo')::date as day, -1 as change from bought where was is not null
          union all select (last at time zone 'America/Sao_Paulo')::date, 1 from bought where last is not null
        ) changes group by day having sum(change) <> 0
        on conflict (seller_id, day) do update set buyers = report_buyer_days.buyers + excluded.buyers
      ),
      new_buyers as (
        insert into report_buyers (seller_id, email, last_completed_at)
        select ${sellerId}, email, last from bought where last is not null
        on conflict (seller_id, email) do update set last_completed_at = excluded.last_completed_at
      ),
      lost_buyers as (
        delete from report_buyers where seller_id = ${sellerId} and email = any (array(select email from bought where last is null))
      )
      select count(*)::int as marks from taken`);
    return done!.marks > 0;
  });
}
