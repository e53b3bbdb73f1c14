import { type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import type { ProviderFailure } from "#app/db/schema/lists.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { isKeyRefusedSql } from "#app/domain/gateway/find-refused-accounts.server.ts";
import type { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { scheduleHeldChecks } from "#app/domain/gateway/schedule-held-checks.server.ts";

/** A key by its id, or as it is sealed. */
type Key = { sellerId: string; provider: string } & ({ keyId: string } | { sealed: string });

/**
 * Stores what a provider's answer to a call says of the key that was used. Who refuses a request in its own words has accepted the
 * key; what is no answer, or cannot be read, says nothing.
 * @param failure what the call failed with; null where it did not
 */
export async function recordKeyAnswer(key: Key, failure: ProviderFailure | null): Promise<void> {
  const isAccepted = failure === null || failure === "refused";
  if (!isAccepted && failure !== "credentials") return;
  const isKey = "keyId" in key ? sql`k.id = ${key.keyId}` : isSealedAsSql(key, [key.sealed]);
  const learned = await db.execute(keyAnswerSql(isKey, isAccepted));
  if (isAccepted && learned.length > 0) await scheduleHeldChecks(db, key.sellerId, key.provider);
}

/** The same after a call that an accepted key may not be allowed to make, and that no payment needs: a refund, evidence, a statement. */
export async function recordAnswerToCall(key: Key, error: ProviderError | null): Promise<void> {
  if (!error?.isOfCall) await recordKeyAnswer(key, error?.kind ?? null);
}

/** A condition for the keys `k` of an account that are sealed so. */
export function isSealedAsSql(
  { sellerId, provider }: Pick<Key, "sellerId" | "provider">,
  sealed: string[],
): SQL {
  return sql`k.seller_id = ${sellerId} and k.provider = ${provider}
    and k.api_key_sealed in (select jsonb_array_elements_text(${JSON.stringify(sealed)}::text::jsonb))`;
}

/**
 * A statement that stores whether their provider accepts the keys `k`. It writes, and returns a row for, only those of which that is
 * new. A created code stores nothing, so an acceptance is also new after a stored refusal that a newer code outdates. A refusal is
 * stored on the account, so that of a key that was replaced meanwhile is not stored.
 */
export function keyAnswerSql(areKeys: SQL, isAccepted: boolean): SQL {
  const isRefused = isKeyRefusedSql(sql`k.id`);
  return isAccepted
    ? sql`update ${gatewayKeys} k set accepted_at = now()
        where ${areKeys} and (k.accepted_at is null or ${isRefused} or exists (
          select from ${gatewayAccounts} a where a.key_id = k.id and a.key_refused_at > k.accepted_at)) returning k.id`
    : sql`update ${gatewayAccounts} a set key_refused_at = now() from ${gatewayKeys} k
        where k.id = a.key_id and ${areKeys}
          and (not ${isRefused} or a.key_refused_at is null or a.key_refused_at <= k.accepted_at) returning k.id`;
}
