import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges, gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { acceptedChargeSql } from "#app/domain/gateway/find-refused-accounts.server.ts";

/**
 * The providers of a seller's keys of which nothing has shown yet that they are accepted: neither an answer of the provider
 * nor a PIX or card of the key. One that was accepted once is a tested one: that it is refused now is told by
 * `findRefusedAccounts`.
 */
export async function findUntestedKeys(sellerId: string): Promise<string[]> {
  const rows = await db.execute<{ provider: string }>(untestedKeysSql(sellerId));
  return rows.map(({ provider }) => provider);
}

/** The same as a subquery, with a row for each of them. */
export const untestedKeysSql = (sellerId: string) => sql`(
  select a.provider from ${gatewayAccounts} a inner join ${gatewayKeys} k on k.id = a.key_id
  where a.seller_id = ${sellerId} and k.accepted_at is null
    and not exists (select from ${charges} c where c.gateway_key_id = k.id and c.seller_id = a.seller_id and ${acceptedChargeSql}))`;
