import { type SQL, sql } from "drizzle-orm";
import { charges } from "#app/db/schema/payments.server.ts";

/** In a minute, by the database's clock. */
export const IN_A_MINUTE = sql`date_trunc('milliseconds', now() + interval '1 minute')`;
/** The next look is due at once. Not rounded up: it would begin in a moment. */
export const AT_ONCE = sql`date_trunc('milliseconds', now())`;

/**
 * A charge's next look at this moment (null: none), or earlier where news want it looked at that nobody has asked about
 * yet. For who holds the charge's lock.
 */
export function nextLook(when: SQL | null): SQL {
  const then = when ?? sql`null::timestamptz`;
  return sql`case when exists (
    select from payment_webhooks w where w.charge_id = ${charges.id} and w.handled_at is null
  ) then least(${charges.nextCheckAt}, ${then}) else ${then} end`;
}
