import type { Period } from "#app/domain/reports/figures/period.ts";
import { addDays } from "#app/kit/dates.ts";

type Day = { day: string; sold: number; revenueCents: number };

/** A day, or a week of a year, with the same day or week of the period before. Money in cents. */
export type ChartPoint = {
  /** `2026-11-21`; the same where the point is one day. */
  first: string;
  last: string;
  sales: number;
  revenueCents: number;
  previousSales: number;
  previousRevenueCents: number;
};

/**
 * A period's points in order, including days without sales; `days` reach back to the start of the period before. A year is
 * divided into 52 weeks that end today; the oldest has eight days, so that the points always sum to the period.
 */
export function chartPoints(period: Period, days: Day[]): ChartPoint[] {
  const width = period.range === "1y" ? 7 : 1;
  const count = Math.floor(period.days / width);
  const salesByDay = new Map(days.map((day) => [day.day, day]));
  return Array.from({ length: count }, (_, at) => {
    const last = addDays(period.last, -(count - 1 - at) * width);
    const first = at === 0 ? period.first : addDays(last, 1 - width);
    const current = sum(salesByDay, first, last);
    const previous = sum(salesByDay, addDays(first, -period.days), addDays(last, -period.days));
    return {
      first,
      last,
      sales: current.sold,
      revenueCents: current.revenueCents,
      previousSales: previous.sold,
      previousRevenueCents: previous.revenueCents,
    };
  });
}

function sum(salesByDay: Map<string, Day>, first: string, last: string) {
  const total = { sold: 0, revenueCents: 0 };
  for (let day = first; day <= last; day = addDays(day, 1)) {
    total.sold += salesByDay.get(day)?.sold ?? 0;
    total.revenueCents += salesByDay.get(day)?.revenueCents ?? 0;
  }
  return total;
}
