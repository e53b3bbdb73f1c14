import { type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges, gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";

/**
 * The providers that refused a seller's active key and have not accepted it since. Until one accepts the key or another one is
 * saved, nobody can pay through it, and no payment is confirmed.
 */
export async function findRefusedAccounts(sellerId: string): Promise<string[]> {
  const rows = await db.execute<{ provider: string }>(refusedAccountsSql(sellerId));
  return rows.map(({ provider }) => provider);
}

/** The same as a subquery, with a row for each of them. */
export const refusedAccountsSql = (sellerId: string) => sql`(select a.provider from ${gatewayAccounts} a
    where a.seller_id = ${sellerId} and coalesce(a.enabled_at, a.cards_enabled_at) is not null and ${isKeyRefusedSql(sql`a.key_id`)})`;

/** Whether a charge `c` shows that the provider accepted the key it was created with. */
export const acceptedChargeSql = sql`c.status in ('open', 'in_review', 'declined', 'paid', 'mispaid', 'expired', 'cancelled')`;

/**
 * Whether a key's provider refused it and has not accepted it since, by what `recordKeyAnswer` and charge checks stored, and by
 * the newest charge that was created with it and shows either.
 * @param keyId SQL of the key's id
 */
export function isKeyRefusedSql(keyId: SQL): SQL<boolean> {
  return sql<boolean>`coalesce((
    select greatest(account.key_refused_at, case when last.is_refused then last.created_at end)
      > greatest(used.accepted_at, case when not last.is_refused then last.created_at end, '-infinity')
    from ${gatewayKeys} used left join ${gatewayAccounts} account on account.key_id = used.id
      left join lateral (
        select c.status = 'failed' as is_refused, c.created_at from ${charges} c
        where c.seller_id = used.seller_id and c.gateway_key_id = used.id
          and (${acceptedChargeSql} or c.failure_kind = 'credentials')
        order by c.created_at desc limit 1) last on true
    where used.id = ${keyId}), false)`;
}
