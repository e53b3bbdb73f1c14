import { and, eq, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { queueSecurityNotice } from "#app/domain/mail/queue-security-notice.server.ts";
import { saveResendKey } from "#app/domain/mail/save-resend-key.server.ts";
import type { GatewaysForm } from "#app/domain/payments/gateways-form.server.ts";
import { newHookToken } from "#app/domain/payments/hook-token.server.ts";
import { saveConnectionCard } from "#app/domain/tracking/save-connection.server.ts";
import type { Origin } from "#app/kit/device.ts";
import { isMask, seal, unseal } from "#app/platform/secrets.server.ts";

/** One account's part of the form; what is undefined stays, a mask keeps the secret, an empty text removes it. */
type Account = {
  provider: string;
  enabled: boolean | undefined;
  apiKey: string | undefined;
  publicKey?: string | undefined;
  webhookSecret?: string | undefined;
};

/**
 * Keeps a seller's gateway settings, whole or in part. The mail key goes first: where it is refused nothing is saved. The
 * seller is told where a key is another, or a gateway on or off.
 * @throws Refusal invalid
 */
export async function saveGateways(sellerId: string, form: GatewaysForm, from?: Origin): Promise<void> {
  if (form.resend_api_key) await saveResendKey(sellerId, form.resend_api_key, from);
  await db.transaction(async (tx) => {
    const accounts = accountsOf(form).map((account) => saveAccount(tx, sellerId, account));
    const saved = await Promise.all(accounts);
    await saveConnectionCard(
      sellerId,
      { enabled: form.utmfy_enabled, token: form.utmfy_api_token, sourceId: form.utmfy_source_id },
      tx,
    );
    // Checkouts tell whether their seller can be paid.
    if (saved.some(({ written }) => written)) await notify(tx, "storefront", `seller:${sellerId}`);
    if (saved.some(({ changed }) => changed))
      await queueSecurityNotice(tx, sellerId, { change: "payment-keys", from });
  });
}

function accountsOf(form: GatewaysForm): Account[] {
  return [
    {
      provider: "pushinpay",
      enabled: form.pushinpay_enabled,
      apiKey: form.pushinpay_api_key,
      webhookSecret: form.pushinpay_webhook_secret,
    },
    {
      provider: "stripe",
      enabled: form.stripe_enabled,
      apiKey: form.stripe_secret_key,
      publicKey: form.stripe_public_key,
    },
    {
      provider: "mercadopago",
      enabled: form.mercadopago_enabled,
      apiKey: form.mercadopago_access_token,
      publicKey: form.mercadopago_public_key,
    },
  ];
}

/** Whether anything was written, and whether anything is not as it was. */
type Saved = { written: boolean; changed: boolean };

async function saveAccount(tx: Tx, sellerId: string, account: Account): Promise<Saved> {
  const { provider, enabled } = account;
  const secrets = {
    ...(await keyOf(tx, sellerId, account)),
    ...sealed("publicKeySealed", account.publicKey),
    ...sealed("webhookSecretSealed", account.webhookSecret),
  };
  if (enabled === undefined && Object.keys(secrets).length === 0) return { written: false, changed: false };
  const [before] = await tx
    .select()
    .from(gatewayAccounts)
    .where(and(eq(gatewayAccounts.sellerId, sellerId), eq(gatewayAccounts.provider, provider)))
    .for("update");
  const now = new Date();
  await tx
    .insert(gatewayAccounts)
    .values({
      sellerId,
      provider,
      hookToken: newHookToken(sellerId, provider),
      enabledAt: enabled ? now : null,
      ...secrets,
    })
    .onConflictDoUpdate({
      target: [gatewayAccounts.sellerId, gatewayAccounts.provider],
      set: {
        ...secrets,
        ...(enabled === undefined
          ? {}
          : {
              enabledAt: enabled ? sql`coalesce(${gatewayAccounts.enabledAt}, ${now.toISOString()})` : null,
            }),
        updatedAt: now,
      },
    });
  const { keyId, publicKeySealed, webhookSecretSealed } = secrets;
  const changed =
    (enabled !== undefined && enabled !== Boolean(before?.enabledAt)) ||
    (keyId !== undefined && keyId !== (before?.keyId ?? null)) ||
    isAnother(publicKeySealed, before?.publicKeySealed) ||
    isAnother(webhookSecretSealed, before?.webhookSecretSealed);
  return { written: true, changed };
}

/** Whether a sealed secret is another than the one before; sealing the same twice gives two texts. */
function isAnother(now: string | null | undefined, before: string | null | undefined): boolean {
  if (now === undefined) return false;
  const [plain, was] = [now, before].map((text) => (text ? unseal(text) : null));
  return plain !== was;
}

/** The version of the API key that was typed: the saved one where it is the same text, else a new one. */
async function keyOf(
  tx: Tx,
  sellerId: string,
  { provider, apiKey }: Account,
): Promise<{ keyId?: string | null }> {
  if (apiKey === undefined || isMask(apiKey)) return {};
  if (!apiKey) return { keyId: null };
  const known = await tx
    .select({ id: gatewayKeys.id, apiKeySealed: gatewayKeys.apiKeySealed })
    .from(gatewayKeys)
    .where(and(eq(gatewayKeys.sellerId, sellerId), eq(gatewayKeys.provider, provider)))
    // The daily cleaning must not empty what is taken up again here.
    .for("update");
  const same = known.find((key) => key.apiKeySealed && unseal(key.apiKeySealed) === apiKey);
  if (same) return { keyId: same.id };
  const [made] = await tx
    .insert(gatewayKeys)
    .values({ sellerId, provider, apiKeySealed: seal(apiKey) })
    .returning({ id: gatewayKeys.id });
  return { keyId: made!.id };
}

function sealed<K extends string>(column: K, typed: string | undefined): Partial<Record<K, string | null>> {
  if (typed === undefined || isMask(typed)) return {};
  return { [column]: typed ? seal(typed) : null } as Record<K, string | null>;
}
