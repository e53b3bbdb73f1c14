import { type SQL, sql } from "drizzle-orm";
import { type Dimension, figuresSql } from "#app/domain/reports/figures/figures.server.ts";

/**
 * A seller's days from `first` to `last`, as a subquery in the columns of `report_days`: the stored copy where it is
 * current, the sales themselves where a day was marked since. One statement reads both in one snapshot, so the sum is exact.
 */
export function currentDaysSql(
  sellerId: string,
  dimension: Dimension,
  { first, last }: { first: string; last: string },
): SQL {
  const markedDays = sql`(
    select distinct seller_id, day from report_marks
    where seller_id = ${sellerId} and day between ${first}::date and ${last}::date
  )`;
  return sql`(
    select r.seller_id, r.day, r.dimension, r.key, r.created, r.converted, r.sold, r.revenue_cents, r.net_cents,
      r.fee_cents, r.without_fee, r.with_bump, r.upsells, r.discount_cents,
      r.mails, r.mails_sent, r.mails_failed, r.mail_attempts
    from report_days r
    where r.seller_id = ${sellerId} and r.dimension = ${dimension} and r.day between ${first}::date and ${last}::date
      and not exists (select from report_marks m where m.seller_id = r.seller_id and m.day = r.day)
    union all ${figuresSql(dimension, markedDays)}
  )`;
}
