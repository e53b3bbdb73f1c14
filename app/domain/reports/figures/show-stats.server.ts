import { countCustomers } from "#app/domain/reports/figures/count-customers.server.ts";
import { percentOf } from "#app/domain/reports/figures/percent.ts";
import type { Period } from "#app/domain/reports/figures/period.ts";
import type { DayFigures } from "#app/domain/reports/figures/read-days.server.ts";

/** The figures of the cards. Money in cents. */
export type Stats = {
  sales: number;
  revenueCents: number;
  /** The revenue less fees and refunds, plus what is left of payments made twice or of another amount. */
  netCents: number;
  /** The fees that providers stated, and the number of these sales whose fee is not known. */
  feeCents: number;
  salesWithoutFee: number;
  customers: number;
  /** Of the orders begun in the period, the percentage completed by now, with one decimal; null where none was begun. */
  conversion: number | null;
};

/** The cards of a period; `days` are exactly its days (`readDays`). */
export async function showStats(sellerId: string, period: Period, days: DayFigures[]): Promise<Stats> {
  return { ...sumStats(days), customers: await countCustomers(sellerId, period) };
}

/** The cards that are sums of days: all except the customers, who may buy on several. */
export function sumStats(days: DayFigures[]): Omit<Stats, "customers"> {
  const sum = (valueIn: (day: DayFigures) => number) => days.reduce((total, day) => total + valueIn(day), 0);
  const created = sum((day) => day.created);
  return {
    sales: sum((day) => day.sold),
    revenueCents: sum((day) => day.revenueCents),
    netCents: sum((day) => day.netCents),
    feeCents: sum((day) => day.feeCents),
    salesWithoutFee: sum((day) => day.withoutFee),
    conversion:
      created === 0
        ? null
        : percentOf(
            sum((day) => day.converted),
            created,
          ),
  };
}
