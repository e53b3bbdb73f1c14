import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { gatewayAccounts } from "#app/db/schema/payments.server.ts";
import { rejectStale, versionOf, withSellerLock } from "#app/db/version.server.ts";
import { saveConnectionCard } from "#app/domain/delivery/utmify/save-tracking.server.ts";
import { type CheckedKeys, checkPaymentKeys } from "#app/domain/gateway/check-payment-keys.server.ts";
import { inTriedOrder, isAccountOf } from "#app/domain/gateway/find-gateway.server.ts";
import { connectableAccounts } from "#app/domain/gateway/gateway-accounts.server.ts";
import type { GatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import type { KeyField } from "#app/domain/gateway/providers/account-form.ts";
import { type GatewayAccount, saveGatewayAccount } from "#app/domain/gateway/save-gateway-account.server.ts";
import { type Gateways, showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { findUntestedKeys } from "#app/domain/gateway/untested-keys.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import { checkResendKey } from "#app/domain/mail/resend/check-resend-key.server.ts";
import { storeResendKey } from "#app/domain/mail/resend/save-resend-key.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Saves a seller's gateway settings, whole or in part: all given fields or none. The seller gets a security mail where a key
 * changed or a gateway was switched on or off.
 * @returns the providers whose new key is saved, could not be checked, and is untested
 * @throws Refusal invalid; conflict where anything the form shows was saved since `version`
 */
export async function saveGateways(
  sellerId: string,
  form: GatewaysForm,
  origin?: RequestOrigin,
  version?: string,
): Promise<string[]> {
  const mailKey = await checkResendKey(sellerId, form.resend_api_key ?? "");
  const paymentKeys = await checkPaymentKeys(sellerId, form);
  await withSellerLock(sellerId, async (tx) => {
    const before = await showGateways(sellerId, tx);
    rejectStale(version, gatewaysVersion(before));
    await storeGateways(tx, { sellerId, form, mailKey, paymentKeys, before, origin });
  });
  return listUntested(sellerId, paymentKeys);
}

/** Those of the checked keys that nothing has shown to work. */
export async function listUntested(sellerId: string, checked: CheckedKeys): Promise<string[]> {
  const unanswered = [...checked].flatMap(([name, isAccepted]) => (isAccepted ? [] : [name]));
  if (unanswered.length === 0) return [];
  const untested = await findUntestedKeys(sellerId);
  return unanswered.filter((name) => untested.includes(name));
}

/**
 * Writes what `saveGateways` saves. The caller has locked the seller: two first saves of an account would deadlock on its
 * two unique keys.
 * @param changes `mailKey` is what `checkResendKey` answered of this form, `paymentKeys` what `checkPaymentKeys` did, `before` is
 *   what was saved
 */
export async function storeGateways(
  tx: Tx,
  { sellerId, form, mailKey, paymentKeys, before, origin }: GatewayChanges,
): Promise<void> {
  await storeResendKey(tx, sellerId, mailKey, origin);
  let isChanged = false;
  for (const account of accountsOf(form)) {
    const isAccepted = paymentKeys.get(account.provider);
    if (await saveGatewayAccount(tx, sellerId, { ...account, isAccepted })) isChanged = true;
  }
  if (await keepOrder(tx, sellerId, form.first_provider || undefined, before.first_provider))
    isChanged = true;
  if (isChanged) await scheduleSpareTests(tx, sellerId);
  await saveConnectionCard(
    sellerId,
    { enabled: form.utmfy_enabled, token: form.utmfy_api_token, sourceId: form.utmfy_source_id },
    tx,
    origin,
  ).catch((error: unknown) => {
    throw nameFieldAsHere(error);
  });
  if (!isChanged) return;
  // Checkouts show whether their seller can be paid.
  await notify(tx, "storefront", `seller:${sellerId}`);
  await queueSecurityMail(tx, sellerId, { change: "payment-keys", origin });
}

/** A refusal of UTMify's token names the field of UTMify's own form. */
function nameFieldAsHere(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.kind !== "invalid" || error.field !== "api_token") return error;
  return new Refusal(error.kind, error.message, "utmfy_api_token", error.retryAfter, error.code);
}

type GatewayChanges = {
  sellerId: string;
  form: GatewaysForm;
  mailKey: Awaited<ReturnType<typeof checkResendKey>>;
  paymentKeys: CheckedKeys;
  before: Gateways;
  origin: RequestOrigin | undefined;
};

/**
 * Puts the chosen account first; where no other one was chosen, the one that was first stays in front of accounts that this
 * form connected. What was shown may be sent back with a form that switches it off: then it no longer matters.
 * @returns whether that changed the order
 * @throws Refusal invalid where another account was chosen that can create no code
 */
async function keepOrder(
  tx: Tx,
  sellerId: string,
  chosen: string | undefined,
  previous: string,
): Promise<boolean> {
  const usable = await usableProviders(tx, sellerId);
  const wanted = chosen ?? previous;
  const isKept = wanted === previous;
  if (wanted === usable[0] || (isKept && !usable.includes(wanted))) return false;
  await tryFirst(tx, sellerId, wanted);
  return true;
}

/** The enabled accounts with a key, the one that is tried first in front. */
async function usableProviders(tx: Tx, sellerId: string): Promise<string[]> {
  const rows = await tx
    .select({ provider: gatewayAccounts.provider, position: gatewayAccounts.position })
    .from(gatewayAccounts)
    .where(and(isAccountOf(sellerId), isNotNull(gatewayAccounts.keyId)));
  return inTriedOrder(rows).map(({ provider }) => provider);
}

/** Puts an account in front of the others, whose order stays. @throws Refusal invalid where it can create no code */
async function tryFirst(tx: Tx, sellerId: string, provider: string): Promise<void> {
  const first = tx
    .select({ at: sql`coalesce(min(${gatewayAccounts.position}), 0) - 1` })
    .from(gatewayAccounts)
    .where(eq(gatewayAccounts.sellerId, sellerId));
  const [moved] = await tx
    .update(gatewayAccounts)
    .set({ position: sql`(${first})` })
    .where(
      and(isAccountOf(sellerId), eq(gatewayAccounts.provider, provider), isNotNull(gatewayAccounts.keyId)),
    )
    .returning({ provider: gatewayAccounts.provider });
  if (!moved)
    throw new Refusal(
      "invalid",
      "Para gerar o PIX primeiro por esta conta, salve a chave dela e ligue o recebimento.",
      "first_provider",
    );
}

/** Accounts that are tried after another one are tested daily, the first time at once. */
async function scheduleSpareTests(tx: Tx, sellerId: string): Promise<void> {
  const [, ...spares] = await usableProviders(tx, sellerId);
  const isSpare = inArray(gatewayAccounts.provider, spares);
  await tx
    .update(gatewayAccounts)
    .set({
      nextSpareTestAt: sql`case when ${isSpare} then coalesce(${gatewayAccounts.nextSpareTestAt}, now()) end`,
      spareFailure: sql`case when ${isSpare} then ${gatewayAccounts.spareFailure} end`,
    })
    .where(eq(gatewayAccounts.sellerId, sellerId));
}

function accountsOf(form: GatewaysForm): GatewayAccount[] {
  return connectableAccounts().map(({ name, toggle, cardToggle, keys }) => {
    const typedValue = (storedAs: KeyField["storedAs"]) => {
      const value = pick(form, keys.find((key) => key.storedAs === storedAs)?.field ?? "");
      return typeof value === "string" ? value : undefined;
    };
    const switchOf = (field: string | undefined) => {
      const value = field && pick(form, field);
      return typeof value === "boolean" ? value : undefined;
    };
    return {
      provider: name,
      enabled: switchOf(toggle.field),
      cardsEnabled: switchOf(cardToggle?.field),
      cardField: cardToggle?.field,
      apiKey: typedValue("apiKey"),
      publicKey: typedValue("publicKey"),
      webhookSecret: typedValue("webhookSecret"),
    };
  });
}

/** The version of what the gateways' form shows, without the fields that other forms save. */
export function gatewaysVersion(displayed: Gateways): string {
  const { utmfy_api_token, utmfy_source_id, resend_api_key, ...form } = displayed;
  return versionOf(form);
}
