import { and, eq, gte, sql } from "drizzle-orm";
import { adHoc } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { startOfDaysAgo } from "#app/kit/dates.ts";

/** How many sales, and their sum in cents. */
export type Sold = { count: number; totalCents: number };
export type DashboardStats = { today: Sold; sevenDays: Sold; thirtyDays: Sold };

/** A seller's completed sales, by when they were paid, in São Paulo days of which today is the last. */
export async function dashboardStats(sellerId: string, now = new Date()): Promise<DashboardStats> {
  const days = { today: 0, sevenDays: 6, thirtyDays: 29 };
  const since = (period: keyof typeof days) => startOfDaysAgo(now, days[period]).toISOString();
  const sold = (period: keyof typeof days) => ({
    count: sql<number>`count(*) filter (where ${sales.completedAt} >= ${since(period)})`.mapWith(Number),
    totalCents:
      sql<number>`coalesce(sum(${sales.amountCents}) filter (where ${sales.completedAt} >= ${since(period)}), 0)`.mapWith(
        Number,
      ),
  });
  const [row] = await adHoc
    .select({ today: sold("today"), sevenDays: sold("sevenDays"), thirtyDays: sold("thirtyDays") })
    .from(sales)
    .where(
      and(
        eq(sales.sellerId, sellerId),
        gte(sales.completedAt, startOfDaysAgo(now, days.thirtyDays)),
        eq(sales.status, "completed"),
      ),
    );
  return row!;
}
