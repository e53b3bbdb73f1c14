import { sql } from "drizzle-orm";
import { metricsDb } from "#app/db/replica/read-clients.server.ts";
import { MAX_COUNTED } from "#app/metrics/age-buckets.server.ts";
import type { GaugeReading } from "#app/platform/metrics.server.ts";

export function pendingReminders(): Promise<GaugeReading[]> {
  return pendingRows("reminders", {
    pending: "Reminders that are due and wait for a worker.",
    overdue: "How long the oldest of these reminders has been due.",
  });
}

export function pendingPictures(): Promise<GaugeReading[]> {
  return pendingRows("pictures", {
    pending: "Sellers' pictures that wait to be processed.",
    overdue: "How long the oldest of them has waited for a worker.",
  });
}

export function pendingStampedCopies(): Promise<GaugeReading[]> {
  return pendingRows("stamped_copies", {
    pending: "PDFs that wait to be stamped for a buyer, or to be tested for their seller.",
    overdue: "How long the oldest of them has waited for a worker.",
  });
}

export function pendingPacedChecks(): Promise<GaugeReading[]> {
  return pendingRows("paced_checks", {
    pending: "Charges, mostly paid ones, whose paced check is due and waits for its gateway account.",
    overdue:
      "How long the oldest of these checks has been due: the delay in finding a refund without a webhook.",
  });
}

/**
 * How many rows of a table are due, and for how long the oldest has been. Rows that a worker has leased are not due.
 * @param table one with an index on `scheduled_at`; its name is the metrics' prefix
 */
export async function pendingRows(
  table: "erasures" | "paced_checks" | "pictures" | "reminders" | "stamped_copies",
  help: { pending: string; overdue: string },
): Promise<GaugeReading[]> {
  const [row] = await metricsDb.execute<{ pending: number; overdue: number }>(sql`
    select count(*)::int as pending, coalesce(extract(epoch from now() - min(scheduled_at)), 0)::float8 as overdue
    from (select scheduled_at from ${sql.identifier(table)} where scheduled_at <= now() order by scheduled_at limit ${MAX_COUNTED}) d`);
  return [
    { name: `${table}_pending`, help: help.pending, values: [[{}, row!.pending]] },
    { name: `${table}_overdue_seconds`, help: help.overdue, values: [[{}, row!.overdue]] },
  ];
}
