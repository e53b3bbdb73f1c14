import { type SQL, sql } from "drizzle-orm";
import { charges } from "#app/db/schema/payments.server.ts";

/** In a minute, by the database's clock. */
export const IN_A_MINUTE = sql`date_trunc('milliseconds', now() + interval '1 minute')`;
/** Due immediately. Not rounded up: that would be a moment later. */
export const CHECK_NOW = sql`date_trunc('milliseconds', now())`;

/**
 * Sets a charge's next check to `wantedAt` (null: none), or leaves an earlier one where a webhook is unhandled. The caller
 * must hold the charge's lock.
 */
export function nextCheckTime(wantedAt: SQL | null): SQL {
  const wanted = wantedAt ?? sql`null::timestamptz`;
  return sql`case when exists (
    select from payment_webhooks w where w.seller_id = ${charges.sellerId} and w.charge_id = ${charges.id} and w.handled_at is null
  ) then least(${charges.nextCheckAt}, ${wanted}) else ${wanted} end`;
}
