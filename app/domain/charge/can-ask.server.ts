import { type SQL, sql } from "drizzle-orm";

/**
 * Whether a key is stored with which the provider can be asked about a charge: that which created it, or its account's present one.
 * @param charge SQL of its columns
 */
export function canAskSql({
  sellerId,
  provider,
  keyId,
}: Record<"sellerId" | "provider" | "keyId", SQL>): SQL {
  return sql`exists (select from gateway_keys k where k.api_key_sealed is not null and k.id in (${keyId}, (
    select a.key_id from gateway_accounts a where a.seller_id = ${sellerId} and a.provider = ${provider})))`;
}
