import { sql } from "drizzle-orm";
import { reportsDb } from "#app/db/replica/read-clients.server.ts";
import { isOfBuyerSql } from "#app/domain/reports/figures/is-of-buyer.ts";
import type { Period } from "#app/domain/reports/figures/period.ts";

/**
 * The number of distinct buyers with a sale completed in a period that ends today, of sales that are still completed. Buyers
 * are identified by e-mail; sales without one are left out, except anonymized ones. Marked buyers are counted from the
 * sales, the rest from the stored copy.
 */
export async function countCustomers(sellerId: string, { first, from }: Period): Promise<number> {
  const since = from.toISOString();
  const [row] = await reportsDb.execute<{ customers: number }>(sql`
    with marked as (
      select distinct email from report_marks where seller_id = ${sellerId} and email is not null
    )
    select (
      (select coalesce(sum(buyers), 0) from report_buyer_days where seller_id = ${sellerId} and day >= ${first}::date)
      - (select count(*) from marked m join report_buyers b on b.seller_id = ${sellerId} and b.email = m.email
          where b.last_completed_at >= ${since})
      + (select count(*) from marked m where exists (
          select from sales s where s.seller_id = ${sellerId} and ${isOfBuyerSql}
            and s.status = 'completed' and s.completed_at >= ${since}))
    )::int as customers`);
  return row!.customers;
}
