import { sql } from "drizzle-orm";
import { batchDb, db } from "#app/db/client.server.ts";
import { statements } from "#app/db/schema/charge-checks.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import type { ReconciledDays } from "#app/domain/reconciliation/month.ts";
import {
  addAnnounced,
  addPayments,
  isCheckable,
  isStatementDifference,
} from "#app/domain/reconciliation/payments-sql.server.ts";
import { scheduleChecks } from "#app/domain/settlement/schedule-checks.server.ts";

/** Scheduled at once, the newest first: an hour of an account's paced checks, behind which its others wait. */
const MAX_SCHEDULED = 5_000;

/**
 * Schedules a check of each payment that its provider has not confirmed, and of announced ones, at the pace of their accounts; of
 * none whose key is not stored any more.
 * Repeated, it schedules the same ones. @returns how many
 */
export async function scheduleReconciliation(
  sellerId: string,
  { month, day }: ReconciledDays,
): Promise<number> {
  const days = day ? { first: day, last: day } : month;
  const statement = new Statement();
  const payments = addPayments(statement, sellerId, days);
  const announced = addAnnounced(statement, sellerId, days);
  const unconfirmed = statement.add(
    "unconfirmed",
    sql`select charge_id as id, paid_at as at, case when ${isStatementDifference} then day end as differs_on
      from ${payments} where ${isCheckable}
      union all select charge_id, at, null from ${announced} where can_ask`,
  );
  const rows = await batchDb.execute<{ id: string; differsOn: string | null }>(
    statement.selectFrom(
      unconfirmed,
      sql`id, differs_on::text as "differsOn"`,
      sql`order by at desc, id limit ${MAX_SCHEDULED}`,
    ),
  );
  await scheduleChecks(
    sellerId,
    rows.map(({ id }) => id),
  );
  await readAgain(sellerId, [...new Set(rows.flatMap(({ differsOn }) => differsOn ?? []))]);
  return rows.length;
}

/** Schedules the same of a day's payments that differ in their provider's statement, and of those that are in it alone. */
export async function scheduleStatementChecks(sellerId: string, day: string): Promise<number> {
  const days = { first: day, last: day };
  const statement = new Statement();
  const payments = addPayments(statement, sellerId, days);
  const announced = addAnnounced(statement, sellerId, days);
  const differing = statement.add(
    "differing",
    sql`select charge_id as id from ${payments} where ${isCheckable} and ${isStatementDifference}
      union select charge_id from ${announced} where is_stated and can_ask`,
  );
  const rows = await batchDb.execute<{ id: string }>(
    statement.selectFrom(differing, sql`id`, sql`limit ${MAX_SCHEDULED}`),
  );
  await scheduleChecks(
    sellerId,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

/** Requests the statements of these days once more, while attempts are made: the provider may have completed them since. */
async function readAgain(sellerId: string, days: string[]): Promise<void> {
  if (days.length === 0) return;
  await db.execute(sql`
    update ${statements} set task_id = null, requested_at = null, next_attempt_at = now()
    where seller_id = ${sellerId} and read_at is not null and next_attempt_at is null
      and day > current_date - 9 and day = any(select jsonb_array_elements_text(${JSON.stringify(days)}::jsonb)::date)`);
}
