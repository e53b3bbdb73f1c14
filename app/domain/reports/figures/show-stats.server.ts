import { countCustomers } from "#app/domain/reports/figures/count-customers.server.ts";
import { percentOf } from "#app/domain/reports/figures/percent.ts";
import type { Period } from "#app/domain/reports/figures/period.ts";
import type { DayFigures } from "#app/domain/reports/figures/read-days.server.ts";

/** The four cards. Money in cents; `conversion` is a percentage with one decimal, null where no sale was begun. */
export type Stats = {
  sales: number;
  revenueCents: number;
  /** What remains of the revenue after fees and partial refunds. */
  netCents: number;
  /** The fees that providers stated, and the number of these sales whose fee is not known. */
  feeCents: number;
  withoutFee: number;
  customers: number;
  conversion: number | null;
};

/** The cards of a period from its days (`readDays`). */
export async function showStats(sellerId: string, period: Period, days: DayFigures[]): Promise<Stats> {
  return { ...sumDays(days), customers: await countCustomers(sellerId, period) };
}

/** The cards that are sums of days: all except the customers, who may buy on several. */
export function sumDays(days: DayFigures[]): Omit<Stats, "customers"> {
  const sum = (valueIn: (day: DayFigures) => number) => days.reduce((total, day) => total + valueIn(day), 0);
  const created = sum((day) => day.created);
  return {
    sales: sum((day) => day.sold),
    revenueCents: sum((day) => day.revenueCents),
    netCents: sum((day) => day.netCents),
    feeCents: sum((day) => day.feeCents),
    withoutFee: sum((day) => day.withoutFee),
    conversion:
      created === 0
        ? null
        : percentOf(
            sum((day) => day.converted),
            created,
          ),
  };
}
