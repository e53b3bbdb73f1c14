import { sql } from "drizzle-orm";
import { reportsDb } from "#app/db/replica/read-clients.server.ts";
import { currentDaysSql } from "#app/domain/reports/figures/current-days.server.ts";

/** A day's figures; money in cents. Empty days are left out. */
export type DayFigures = {
  day: string;
  created: number;
  converted: number;
  sold: number;
  revenueCents: number;
  /** What remains of the revenue after fees and partial refunds. */
  netCents: number;
  /** The fees that providers stated, and the sales whose fee is not known. */
  feeCents: number;
  withoutFee: number;
  mails: number;
  mailsSent: number;
  mailsFailed: number;
  mailAttempts: number;
};

/** The figures of each of a seller's days from `first` to `last` (`2026-11-21`), in order. */
export async function readDays(
  sellerId: string,
  period: { first: string; last: string },
): Promise<DayFigures[]> {
  const rows = await reportsDb.execute<
    Omit<DayFigures, "revenueCents" | "netCents" | "feeCents"> & {
      revenue: string;
      net: string;
      fees: string;
    }
  >(sql`
    select day::text, created, converted, sold, revenue_cents as revenue, net_cents as net, fee_cents as fees,
      without_fee as "withoutFee",
      mails, mails_sent as "mailsSent", mails_failed as "mailsFailed", mail_attempts as "mailAttempts"
    from ${currentDaysSql(sellerId, "all", period)} days order by day`);
  return rows.map(({ revenue, net, fees, ...row }) => ({
    ...row,
    revenueCents: Number(revenue),
    netCents: Number(net),
    feeCents: Number(fees),
  }));
}
