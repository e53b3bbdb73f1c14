import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { webhookTests } from "#app/db/schema/charge-checks.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { newHookToken } from "#app/domain/gateway/hook-token.server.ts";
import { keyAnswerSql } from "#app/domain/gateway/record-key-answer.server.ts";
import { scheduleHeldChecks } from "#app/domain/gateway/schedule-held-checks.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isMask, seal, unseal } from "#app/platform/secrets.server.ts";

/** One account's part of the form. Undefined changes nothing, a mask leaves the secret, an empty text removes it. */
export type GatewayAccount = {
  provider: string;
  enabled: boolean | undefined;
  /** Whether it takes cards, and the name of that switch. */
  cardsEnabled?: boolean | undefined;
  cardField?: string | undefined;
  apiKey: string | undefined;
  /** Whether the key was checked, and its provider accepted it. */
  isAccepted?: boolean | undefined;
  publicKey?: string | undefined;
  webhookSecret?: string | undefined;
};

/**
 * Saves a seller's account at a payment provider.
 * @returns whether that changed anything
 * @throws Refusal invalid where cards are on and one of their keys is missing
 */
export async function saveGatewayAccount(
  tx: Tx,
  sellerId: string,
  account: GatewayAccount,
): Promise<boolean> {
  const { provider, enabled, cardsEnabled } = account;
  const secrets = {
    ...(await resolveKey(tx, sellerId, account)),
    ...sealedColumn("publicKeySealed", account.publicKey),
    ...sealedColumn("webhookSecretSealed", account.webhookSecret),
  };
  if (enabled === undefined && cardsEnabled === undefined && Object.keys(secrets).length === 0) return false;
  const [before] = await tx
    .select()
    .from(gatewayAccounts)
    .where(and(eq(gatewayAccounts.sellerId, sellerId), eq(gatewayAccounts.provider, provider)))
    .for("update");
  const now = new Date();
  const { keyId, publicKeySealed, webhookSecretSealed } = secrets;
  const takesCards = cardsEnabled ?? Boolean(before?.cardsEnabledAt);
  const hasKeys = (keyId ?? before?.keyId) && (publicKeySealed ?? before?.publicKeySealed);
  const isRemoving = keyId === null || publicKeySealed === null;
  if (takesCards && (!hasKeys || isRemoving))
    throw new Refusal(
      "invalid",
      "Para receber por cartão, salve o Access Token e a Public Key; para remover uma delas, desligue o cartão.",
      account.cardField,
    );
  const isNewKey = Boolean(keyId) && keyId !== before?.keyId;
  if (keyId && account.isAccepted) await tx.execute(keyAnswerSql(sql`k.id = ${keyId}`, true));
  // What was learned with the old key says nothing of a new one.
  const unlearned = isNewKey ? { keyRefusedAt: null, nextSpareTestAt: null, spareFailure: null } : {};
  await tx
    .insert(gatewayAccounts)
    .values({
      sellerId,
      provider,
      hookToken: newHookToken(sellerId, provider),
      enabledAt: enabled ? now : null,
      cardsEnabledAt: cardsEnabled ? now : null,
      ...secrets,
    })
    .onConflictDoUpdate({
      target: [gatewayAccounts.sellerId, gatewayAccounts.provider],
      set: {
        ...secrets,
        ...unlearned,
        ...(enabled === undefined
          ? {}
          : {
              enabledAt: enabled ? sql`coalesce(${gatewayAccounts.enabledAt}, ${now.toISOString()})` : null,
            }),
        ...(cardsEnabled === undefined
          ? {}
          : {
              cardsEnabledAt: cardsEnabled
                ? sql`coalesce(${gatewayAccounts.cardsEnabledAt}, ${now.toISOString()})`
                : null,
            }),
        updatedAt: now,
      },
    });
  if (isNewKey) await scheduleHeldChecks(tx, sellerId, provider);
  const isNewSecret = differs(webhookSecretSealed, before?.webhookSecretSealed);
  if (isNewSecret) await dropWebhookTests(tx, sellerId, provider);
  return (
    (enabled !== undefined && enabled !== Boolean(before?.enabledAt)) ||
    (cardsEnabled !== undefined && cardsEnabled !== Boolean(before?.cardsEnabledAt)) ||
    (keyId !== undefined && keyId !== (before?.keyId ?? null)) ||
    differs(publicKeySealed, before?.publicKeySealed) ||
    isNewSecret
  );
}

/** Tests that ended say nothing of another secret. One whose PIX is still to be cancelled, or was paid, stays. */
async function dropWebhookTests(tx: Tx, sellerId: string, provider: string): Promise<void> {
  await tx
    .delete(webhookTests)
    .where(
      and(
        ...[eq(webhookTests.sellerId, sellerId), eq(webhookTests.provider, provider)],
        ...[isNotNull(webhookTests.endedAt), isNull(webhookTests.scheduledAt), isNull(webhookTests.paidAt)],
      ),
    );
}

/** Whether a sealed secret differs from the previous one; sealing the same text twice gives different results. */
function differs(current: string | null | undefined, previousSealed: string | null | undefined): boolean {
  if (current === undefined) return false;
  const [plain, previous] = [current, previousSealed].map((text) => (text ? unseal(text) : null));
  return plain !== previous;
}

/** The version of the API key that was entered: the saved one where the text is the same, else a new one. */
async function resolveKey(
  tx: Tx,
  sellerId: string,
  { provider, apiKey }: GatewayAccount,
): Promise<{ keyId?: string | null }> {
  if (apiKey === undefined || isMask(apiKey)) return {};
  if (!apiKey) return { keyId: null };
  const known = await tx
    .select({ id: gatewayKeys.id, apiKeySealed: gatewayKeys.apiKeySealed })
    .from(gatewayKeys)
    .where(and(eq(gatewayKeys.sellerId, sellerId), eq(gatewayKeys.provider, provider)))
    // Locked so that the daily cleaning does not delete a key that is used again here.
    .for("update");
  const same = known.find((key) => key.apiKeySealed && unseal(key.apiKeySealed) === apiKey);
  if (same) return { keyId: same.id };
  const [made] = await tx
    .insert(gatewayKeys)
    .values({ sellerId, provider, apiKeySealed: seal(apiKey) })
    .returning({ id: gatewayKeys.id });
  return { keyId: made!.id };
}

function sealedColumn<K extends string>(
  column: K,
  typed: string | undefined,
): Partial<Record<K, string | null>> {
  if (typed === undefined || isMask(typed)) return {};
  return { [column]: typed ? seal(typed) : null } as Record<K, string | null>;
}
