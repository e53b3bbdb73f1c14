import { sql } from "drizzle-orm";
import { measuring } from "#app/db/client.server.ts";
import { AT_MOST } from "#app/jobs/by-age.server.ts";
import type { Reading } from "#app/platform/metrics.server.ts";

export function dueReminders(): Promise<Reading[]> {
  return dueRows("reminders", {
    due: "Buyers who might be reminded now and wait for a worker.",
    overdue: "For how long the oldest of these reminders has been due.",
  });
}

export function duePictures(): Promise<Reading[]> {
  return dueRows("pictures", {
    due: "Sellers' pictures that wait to be prepared.",
    overdue: "For how long the oldest of them has waited for a worker.",
  });
}

export function dueStamps(): Promise<Reading[]> {
  return dueRows("stamps", {
    due: "PDFs that wait to be stamped for a buyer, or to be looked at for their seller.",
    overdue: "For how long the oldest of them has waited for a worker.",
  });
}

export function duePacedChecks(): Promise<Reading[]> {
  return dueRows("paced_checks", {
    due: "Charges, paid ones mostly, whose next check by themselves is due and waits for its account's turn.",
    overdue:
      "For how long the oldest of these checks has been due: so much later a refund without a webhook is found.",
  });
}

/**
 * How many rows of a table are due, and for how long the oldest of them has been. Those that a worker is at are not due.
 * @param table one with an index on `due_at`; its name begins the figures' names
 */
export async function dueRows(
  table: "erasures" | "paced_checks" | "pictures" | "reminders" | "stamps",
  help: { due: string; overdue: string },
): Promise<Reading[]> {
  const [row] = await measuring.execute<{ due: number; overdue: number }>(sql`
    select count(*)::int as due, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as overdue
    from (select due_at from ${sql.identifier(table)} where due_at <= now() order by due_at limit ${AT_MOST}) d`);
  return [
    { name: `${table}_due`, help: help.due, values: [[{}, row!.due]] },
    { name: `${table}_overdue_seconds`, help: help.overdue, values: [[{}, row!.overdue]] },
  ];
}
