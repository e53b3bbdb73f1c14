import { sql } from "drizzle-orm";
import { adHoc } from "#app/db/client.server.ts";
import { currentDays } from "#app/domain/reports/figures/current-days.server.ts";
import type { Dimension } from "#app/domain/reports/figures/figures.server.ts";
import type { Period } from "#app/domain/reports/figures/period.ts";

/** One line of a split table; money in cents. */
export type BreakdownRow = {
  key: string;
  sold: number;
  revenueCents: number;
  withBump: number;
  offers: number;
};

/** The lines that sold most, and the sum of those left out. */
export type Breakdown = {
  rows: BreakdownRow[];
  others: { count: number; sold: number; revenueCents: number };
};

const SHOWN = 20;

/** A seller's completed sales of a period, split by `dimension`: the 20 keys with most revenue. */
export async function readBreakdown(
  sellerId: string,
  dimension: Exclude<Dimension, "all">,
  period: Period,
): Promise<Breakdown> {
  const found = await adHoc.execute<{
    key: string;
    sold: number;
    revenue: string;
    withBump: number;
    offers: number;
    allKeys: number;
    allSold: number;
    allRevenue: string;
  }>(sql`
    select key, sum(sold)::int as sold, sum(revenue_cents)::bigint as revenue, sum(with_bump)::int as "withBump",
      sum(offers)::int as offers, (count(*) over ())::int as "allKeys", (sum(sum(sold)) over ())::int as "allSold",
      (sum(sum(revenue_cents)) over ())::bigint as "allRevenue"
    from ${currentDays(sellerId, dimension, period)} days
    group by key order by revenue desc, key limit ${SHOWN}`);
  const rows = found.map(({ key, sold, revenue, withBump, offers }) => ({
    key,
    sold,
    revenueCents: Number(revenue),
    withBump,
    offers,
  }));
  const rest = (all: number, of: (row: BreakdownRow) => number) =>
    rows.reduce((left, row) => left - of(row), all);
  return {
    rows,
    others: {
      count: (found[0]?.allKeys ?? 0) - rows.length,
      sold: rest(found[0]?.allSold ?? 0, (row) => row.sold),
      revenueCents: rest(Number(found[0]?.allRevenue ?? 0), (row) => row.revenueCents),
    },
  };
}
