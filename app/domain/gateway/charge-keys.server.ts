import { sql } from "drizzle-orm";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { type Credentials, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/**
 * The sealed keys for calls about a charge (checks, refunds, evidence), best first, as a column of a query on charges and sales: the key it was created
 * with, even if the seller has replaced, removed or disabled it, then the account's current one.
 */
export const sealedKeys = sql<string[]>`array_remove(array[
  (select k.api_key_sealed from gateway_keys k where k.id = ${charges.gatewayKeyId}),
  (select k.api_key_sealed from gateway_accounts a join gateway_keys k on k.id = a.key_id
    where a.seller_id = ${sales.sellerId} and a.provider = ${charges.provider})
], null)`;

/** Unseals what `sealedKeys` read, without duplicates. */
export function unsealKeys(sealed: string[]): Credentials[] {
  return [...new Set(sealed)].map((key) => ({ apiKey: unseal(key) }));
}

/**
 * Calls with the next key as long as the provider refuses the key: one that was replaced in the provider's own panel mostly
 * has a successor for the same account. @param keys at least one @throws what the last call threw
 */
export async function withKeys<T>(
  keys: Credentials[],
  call: (credentials: Credentials) => Promise<T>,
): Promise<T> {
  const [first, ...others] = keys;
  try {
    return await call(first!);
  } catch (error) {
    if (others.length === 0 || !(error instanceof ProviderError) || error.kind !== "credentials") throw error;
    return withKeys(others, call);
  }
}
