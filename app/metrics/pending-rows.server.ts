import { type SQL, sql } from "drizzle-orm";
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
  return pendingFiles("pictures", sql`touched_at`, {
    pending: "Sellers' pictures that wait to be processed.",
    overdue: "How long the oldest of them has waited.",
  });
}

export function pendingStampedCopies(): Promise<GaugeReading[]> {
  return pendingFiles("stamped_copies", sql`created_at`, {
    pending: "PDFs that wait to be stamped for a buyer, or to be tested for their seller.",
    overdue: "How long the oldest of them has waited.",
  });
}

export function pendingPacedChecks(): Promise<GaugeReading[]> {
  return pendingRows("paced_checks", {
    pending: "Charges, mostly paid ones, whose paced check is due and waits for its gateway account.",
    overdue:
      "How long the oldest of these checks has been due: the delay in finding a refund without a webhook.",
  });
}

type Help = { pending: string; overdue: string };

/**
 * How many rows of a table are due, and for how long the oldest has been. Rows that a worker has leased are not due.
 * @param table one with an index on `scheduled_at`; its name is the metrics' prefix
 */
function pendingRows(table: "paced_checks" | "reminders", help: Help) {
  return readPending(
    table,
    sql`select scheduled_at as since from ${sql.identifier(table)} where scheduled_at <= now()`,
    help,
  );
}

/**
 * The same of rows that are put off again and again, uncounted, while the blob store is away or full: until their second attempt
 * they have waited since they were requested.
 */
function pendingFiles(table: "pictures" | "stamped_copies", requestedAt: SQL, help: Help) {
  return readPending(
    table,
    sql`select case when attempts <= 1 then ${requestedAt} else scheduled_at end as since from ${sql.identifier(table)}
      where scheduled_at is not null and (attempts <= 1 or scheduled_at <= now())`,
    help,
  );
}

/** @param waiting the rows, with `since`, and `scheduled_at` to take the longest due of them */
export async function readPending(table: string, waiting: SQL, help: Help): Promise<GaugeReading[]> {
  const [row] = await metricsDb.execute<{ pending: number; overdue: number }>(sql`
    select count(*)::int as pending, greatest(0, coalesce(extract(epoch from now() - min(since)), 0))::float8 as overdue
    from (${waiting} order by scheduled_at limit ${MAX_COUNTED}) d`);
  return [
    { name: `${table}_pending`, help: help.pending, values: [[{}, row!.pending]] },
    { name: `${table}_overdue_seconds`, help: help.overdue, values: [[{}, row!.overdue]] },
  ];
}
