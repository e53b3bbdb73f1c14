import { sql } from "#tests/support/database.ts";

/** Has the worker ask the provider about a charge now, not when its next check is due. */
export async function checkNow(chargeId: string): Promise<void> {
  await sql`update charges set next_check_at = date_trunc('milliseconds', now()) where id = ${chargeId}`;
  await sql`select graphile_worker.add_job('sweep-charges', '{}'::json, job_key => 'sweep-now')`;
}
