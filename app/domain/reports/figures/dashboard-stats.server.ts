import { type ChartPoint, chartPoints } from "#app/domain/reports/figures/chart-points.ts";
import { addDays, periodBefore, periodOf } from "#app/domain/reports/figures/period.ts";
import { type DayFigures, readDays } from "#app/domain/reports/figures/read-days.server.ts";

/** How many sales, and their sum in cents. */
export type Sold = { count: number; totalCents: number };
export type DashboardStats = { today: Sold; sevenDays: Sold; thirtyDays: Sold };

/** The stats, the thirty days before them, and each of the thirty days beside the one thirty days earlier. */
export type DashboardFigures = { stats: DashboardStats; before: Sold; points: ChartPoint[] };

/** A seller's completed sales, by when they were paid, in São Paulo days of which today is the last. */
export async function dashboardStats(sellerId: string, now = new Date()): Promise<DashboardStats> {
  const { first, last } = periodOf("30d", now);
  return statsOf(await readDays(sellerId, { first, last }), last);
}

/** All figures of the dashboard, from the days as reports keep them: not a sale is counted for it, unless its day is marked. */
export async function dashboardFigures(sellerId: string, now = new Date()): Promise<DashboardFigures> {
  const period = periodOf("30d", now);
  const { first, last } = period;
  const days = await readDays(sellerId, { first: periodBefore(period).first, last });
  return {
    stats: statsOf(days, last),
    before: sum(days.filter(({ day }) => day < first)),
    points: chartPoints(period, days),
  };
}

function statsOf(days: DayFigures[], last: string): DashboardStats {
  const since = (count: number) => sum(days.filter(({ day }) => day > addDays(last, -count)));
  return { today: since(1), sevenDays: since(7), thirtyDays: since(30) };
}

function sum(days: DayFigures[]): Sold {
  return {
    count: days.reduce((total, { sold }) => total + sold, 0),
    totalCents: days.reduce((total, { revenueCents }) => total + revenueCents, 0),
  };
}
