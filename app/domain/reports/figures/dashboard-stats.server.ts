import { type ChartPoint, chartPoints } from "#app/domain/reports/figures/chart-points.ts";
import { periodBefore, periodOf } from "#app/domain/reports/figures/period.ts";
import { type DayFigures, readDays } from "#app/domain/reports/figures/read-days.server.ts";
import { addDays } from "#app/kit/dates.ts";

/** How many sales, and their sum in cents. */
export type SalesTotal = { count: number; totalCents: number };
export type DashboardStats = { today: SalesTotal; sevenDays: SalesTotal; thirtyDays: SalesTotal };

/** The stats, the thirty days before them, and each of the thirty days beside the one thirty days earlier. */
export type DashboardFigures = { stats: DashboardStats; previousTotal: SalesTotal; points: ChartPoint[] };

/** A seller's completed sales, by when they were paid, in São Paulo days of which today is the last. */
export async function dashboardStats(sellerId: string, now = new Date()): Promise<DashboardStats> {
  const { first, last } = periodOf("30d", now);
  return toStats(await readDays(sellerId, { first, last }), last);
}

/** All figures of the dashboard, from the stored days: sales are read only for marked days. */
export async function dashboardFigures(sellerId: string, now = new Date()): Promise<DashboardFigures> {
  const period = periodOf("30d", now);
  const { first, last } = period;
  const days = await readDays(sellerId, { first: periodBefore(period).first, last });
  return {
    stats: toStats(days, last),
    previousTotal: sumSales(days.filter(({ day }) => day < first)),
    points: chartPoints(period, days),
  };
}

function toStats(days: DayFigures[], last: string): DashboardStats {
  const since = (count: number) => sumSales(days.filter(({ day }) => day > addDays(last, -count)));
  return { today: since(1), sevenDays: since(7), thirtyDays: since(30) };
}

function sumSales(days: DayFigures[]): SalesTotal {
  return {
    count: days.reduce((total, { sold }) => total + sold, 0),
    totalCents: days.reduce((total, { revenueCents }) => total + revenueCents, 0),
  };
}
