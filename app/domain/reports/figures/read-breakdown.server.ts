import { sql } from "drizzle-orm";
import { reportsDb } from "#app/db/replica/read-clients.server.ts";
import { currentDaysSql } from "#app/domain/reports/figures/current-days.server.ts";
import type { Dimension } from "#app/domain/reports/figures/figures.server.ts";
import type { Period } from "#app/domain/reports/figures/period.ts";

/** One line of a breakdown; money in cents. */
export type BreakdownRow = {
  key: string;
  sold: number;
  revenueCents: number;
  withBump: number;
  upsells: number;
  /** Sales begun in the period, paid or not, and what coupons took off those sold; by coupon only. */
  created: number;
  discountCents: number;
};

/** The lines that sold most, and the sum of those left out. */
export type Breakdown = {
  rows: BreakdownRow[];
  others: { count: number; sold: number; revenueCents: number };
};

const MAX_ROWS = 20;

/** A seller's completed sales of a period, split by `dimension`: the 20 keys with most revenue. */
export async function readBreakdown(
  sellerId: string,
  dimension: Exclude<Dimension, "all">,
  period: Period,
): Promise<Breakdown> {
  const breakdownRows = await reportsDb.execute<{
    key: string;
    sold: number;
    revenue: string;
    withBump: number;
    upsells: number;
    created: number;
    discount: string;
    allKeys: number;
    allSold: number;
    allRevenue: string;
  }>(sql`
    select key, sum(sold)::int as sold, sum(revenue_cents)::bigint as revenue, sum(with_bump)::int as "withBump",
      sum(upsells)::int as upsells, sum(created)::int as created, sum(discount_cents)::bigint as discount, (count(*) over ())::int as "allKeys", (sum(sum(sold)) over ())::int as "allSold",
      (sum(sum(revenue_cents)) over ())::bigint as "allRevenue"
    from ${currentDaysSql(sellerId, dimension, period)} days
    group by key order by revenue desc, key limit ${MAX_ROWS}`);
  const rows = breakdownRows.map(({ key, sold, revenue, withBump, upsells, created, discount }) => ({
    key,
    sold,
    revenueCents: Number(revenue),
    withBump,
    upsells,
    created,
    discountCents: Number(discount),
  }));
  const sumOfOthers = (all: number, of: (row: BreakdownRow) => number) =>
    rows.reduce((remaining, row) => remaining - of(row), all);
  return {
    rows,
    others: {
      count: (breakdownRows[0]?.allKeys ?? 0) - rows.length,
      sold: sumOfOthers(breakdownRows[0]?.allSold ?? 0, (row) => row.sold),
      revenueCents: sumOfOthers(Number(breakdownRows[0]?.allRevenue ?? 0), (row) => row.revenueCents),
    },
  };
}
