import { sql } from "drizzle-orm";
import { batchDb } from "#app/db/client.server.ts";
import type { ReconciledDays } from "#app/domain/reconciliation/month.ts";
import { announcedSql, isCheckable, paymentsSql } from "#app/domain/reconciliation/payments-sql.server.ts";
import { scheduleChecks } from "#app/domain/settlement/schedule-checks.server.ts";

/** Scheduled at once, the newest first: an hour of an account's paced checks, behind which its others wait. */
const MAX_SCHEDULED = 5_000;

/**
 * Schedules a check of each payment that its provider has not confirmed, and of announced ones, at the pace of their accounts.
 * Repeated, it schedules the same ones. @returns how many
 */
export async function scheduleReconciliation(
  sellerId: string,
  { month, day }: ReconciledDays,
): Promise<number> {
  const days = day ? { first: day, last: day } : month;
  const rows = await batchDb.execute<{ id: string }>(sql`
    with ${paymentsSql(sellerId, days)}, ${announcedSql(sellerId, days)}
    select id from (
      select charge_id as id, paid_at as at from payments where ${isCheckable}
      union all select charge_id, at from announced
    ) unconfirmed order by at desc, id limit ${MAX_SCHEDULED}`);
  await scheduleChecks(
    sellerId,
    rows.map(({ id }) => id),
  );
  return rows.length;
}
