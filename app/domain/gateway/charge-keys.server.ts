import { sql } from "drizzle-orm";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { type Credentials, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/**
 * As a column of a query on charges and sales, the sealed keys a charge may be asked about with, best first: the one it was made
 * with, also after the seller changed, removed or switched it off, then the account's present one.
 */
export const sealedKeys = sql<string[]>`array_remove(array[
  (select k.api_key_sealed from gateway_keys k where k.id = ${charges.gatewayKeyId}),
  (select k.api_key_sealed from gateway_accounts a join gateway_keys k on k.id = a.key_id
    where a.seller_id = ${sales.sellerId} and a.provider = ${charges.provider})
], null)`;

/** What `sealedKeys` read, each once. */
export function openKeys(sealed: string[]): Credentials[] {
  return [...new Set(sealed)].map((key) => ({ apiKey: unseal(key) }));
}

/**
 * Calls with each key in turn for as long as the provider does not know it: a key that was replaced in the provider's
 * own panel has a successor for the same account. @throws what the last call threw
 */
export async function withKeys<T>(keys: Credentials[], call: (by: Credentials) => Promise<T>): Promise<T> {
  const [first, ...others] = keys;
  try {
    return await call(first!);
  } catch (error) {
    if (others.length === 0 || !(error instanceof ProviderError) || error.kind !== "credentials") throw error;
    return withKeys(others, call);
  }
}
