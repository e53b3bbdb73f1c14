import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges, gatewayAccounts } from "#app/db/schema/payments.server.ts";

/**
 * The providers that refused a seller's active key at the last PIX created with it or the last charge check. Until one
 * accepts the key or another one is saved, nobody can pay through it, and no payment is confirmed.
 */
export async function findRefusedAccounts(sellerId: string): Promise<string[]> {
  const rows = await db.execute<{ provider: string }>(refusedAccountsSql(sellerId));
  return rows.map(({ provider }) => provider);
}

/** Whether a charge `c` shows that the provider accepted the key it was created with. */
export const acceptedChargeSql = sql`c.status in ('open', 'in_review', 'declined', 'paid', 'mispaid', 'expired', 'cancelled')`;

/** The same as a subquery, with a row for each of them. */
export const refusedAccountsSql = (sellerId: string) => sql`(select a.provider from ${gatewayAccounts} a
    left join lateral (
      select c.failure_kind, c.created_at from ${charges} c
      where c.seller_id = a.seller_id and c.gateway_key_id = a.key_id
        and (${acceptedChargeSql} or c.failure_kind = 'credentials')
      order by c.created_at desc limit 1) last on true
    where a.seller_id = ${sellerId} and coalesce(a.enabled_at, a.cards_enabled_at) is not null and a.key_id is not null and (
      last.failure_kind = 'credentials' or a.key_refused_at > coalesce(last.created_at, '-infinity')))`;

/** Whether a payment that was made with an account's key since its stored refusal hides that one from `refusedAccountsSql`. */
export const isRefusalHiddenSql = sql`exists (select from ${charges} c where c.seller_id = ${gatewayAccounts.sellerId}
  and c.gateway_key_id = ${gatewayAccounts.keyId} and c.created_at >= ${gatewayAccounts.keyRefusedAt} and ${acceptedChargeSql})`;
