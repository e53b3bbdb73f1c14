import { addDays, type Period } from "#app/domain/reports/figures/period.ts";

type Day = { day: string; sold: number; revenueCents: number };

/** A day, or the week of a year, and what stood at the same place of the period before. Money in cents. */
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
 * A period's points in order, days without sales included; `days` reach back to the start of the period before. A year is cut into 52 weeks that end today; the oldest has
 * eight days, so that the points always add up to the period.
 */
export function chartPoints(period: Period, days: Day[]): ChartPoint[] {
  const width = period.range === "1y" ? 7 : 1;
  const count = Math.floor(period.days / width);
  const found = new Map(days.map((day) => [day.day, day]));
  return Array.from({ length: count }, (_, at) => {
    const last = addDays(period.last, -(count - 1 - at) * width);
    const first = at === 0 ? period.first : addDays(last, 1 - width);
    const here = sum(found, first, last);
    const before = sum(found, addDays(first, -period.days), addDays(last, -period.days));
    return {
      first,
      last,
      sales: here.sold,
      revenueCents: here.revenueCents,
      previousSales: before.sold,
      previousRevenueCents: before.revenueCents,
    };
  });
}

function sum(found: Map<string, Day>, first: string, last: string) {
  const total = { sold: 0, revenueCents: 0 };
  for (let day = first; day <= last; day = addDays(day, 1)) {
    total.sold += found.get(day)?.sold ?? 0;
    total.revenueCents += found.get(day)?.revenueCents ?? 0;
  }
  return total;
}
