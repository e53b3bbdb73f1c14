import { sql } from "drizzle-orm";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { type Credentials, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { recordAnswerToCall } from "#app/domain/gateway/record-key-answer.server.ts";
import { log } from "#app/platform/log.server.ts";
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

/** A key of a charge, unsealed and as it is sealed. */
export type ChargeKey = Credentials & { sealed: string };

/** Unseals what `sealedKeys` read, without duplicates. */
export function unsealKeys(sealedOnes: string[]): ChargeKey[] {
  return [...new Set(sealedOnes)].map((sealed) => ({ apiKey: unseal(sealed), sealed }));
}

/**
 * Calls with the next key where the provider refuses the charge's own: one that was replaced in the provider's own panel mostly
 * has a successor for the same account. It may be of another account, though: that it does not know the charge (null, or refused
 * while `knows` denies it) is no answer.
 * @param keys at least one @throws what the last call threw, or that the own key was refused
 */
export async function withKeys<T, Key extends Credentials>(
  [own, current]: Key[],
  call: (credentials: Key) => Promise<T>,
  knows: (credentials: Key, refusal: ProviderError) => Promise<boolean> = async () => true,
): Promise<T> {
  try {
    return await call(own!);
  } catch (refusedKey) {
    if (!current || !isOfKind(refusedKey, "credentials")) throw refusedKey;
    try {
      const answer = await call(current);
      if (answer !== null) return answer;
    } catch (error) {
      if (!isOfKind(error, "refused") || (await knows(current, error).catch(() => true))) throw error;
    }
    throw refusedKey;
  }
}

/** The same for a call that is no check, and stores what its answers say of the keys; if it cannot, the answer counts all the same. */
export async function withLearningKeys<T>(
  account: { sellerId: string; provider: string },
  keys: ChargeKey[],
  call: (credentials: Credentials) => Promise<T>,
  knows: (credentials: Credentials, refusal: ProviderError) => Promise<boolean>,
): Promise<T> {
  const answers = new Map<string, ProviderError | null>();
  const remembering = async (key: ChargeKey) => {
    try {
      const answer = await call(key);
      answers.set(key.sealed, null);
      return answer;
    } catch (error) {
      if (error instanceof ProviderError) answers.set(key.sealed, error);
      throw error;
    }
  };
  try {
    return await withKeys(keys, remembering, knows);
  } finally {
    for (const [sealed, error] of answers)
      await recordAnswerToCall({ ...account, sealed }, error).catch((err: unknown) =>
        log.warn({ ...account, err }, "answer about a key not stored"),
      );
  }
}

function isOfKind(error: unknown, kind: ProviderError["kind"]): error is ProviderError {
  return error instanceof ProviderError && error.kind === kind;
}
