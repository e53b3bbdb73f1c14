import { notify } from "#app/db/notify.server.ts";
import { rejectStale, versionOf, withSellerLock } from "#app/db/version.server.ts";
import { saveConnectionCard } from "#app/domain/delivery/utmify/save-tracking.server.ts";
import { connectableAccounts } from "#app/domain/gateway/gateway-accounts.server.ts";
import type { GatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import type { KeyField } from "#app/domain/gateway/providers/account-form.ts";
import {
  type GatewayAccount,
  type SaveResult,
  saveGatewayAccount,
} from "#app/domain/gateway/save-gateway-account.server.ts";
import { type Gateways, showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import { checkResendKey } from "#app/domain/mail/resend/check-resend-key.server.ts";
import { storeResendKey } from "#app/domain/mail/resend/save-resend-key.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { pick } from "#app/kit/pick.ts";

/**
 * Saves a seller's gateway settings, whole or in part: all given fields or none. The seller gets a security mail where a key
 * changed or a gateway was switched on or off.
 * @throws Refusal invalid; conflict where anything the form shows was saved since `version`
 */
export async function saveGateways(
  sellerId: string,
  form: GatewaysForm,
  origin?: RequestOrigin,
  version?: string,
): Promise<void> {
  const mailKey = await checkResendKey(sellerId, form.resend_api_key ?? "");
  // Two first saves of an account would deadlock on its two unique keys.
  await withSellerLock(sellerId, async (tx) => {
    rejectStale(version, gatewaysVersion(await showGateways(sellerId, tx)));
    await storeResendKey(tx, sellerId, mailKey, origin);
    const saved: SaveResult[] = [];
    for (const account of accountsOf(form)) saved.push(await saveGatewayAccount(tx, sellerId, account));
    await saveConnectionCard(
      sellerId,
      { enabled: form.utmfy_enabled, token: form.utmfy_api_token, sourceId: form.utmfy_source_id },
      tx,
      origin,
    );
    // Checkouts show whether their seller can be paid.
    if (saved.some(({ written }) => written)) await notify(tx, "storefront", `seller:${sellerId}`);
    if (saved.some(({ changed }) => changed))
      await queueSecurityMail(tx, sellerId, { change: "payment-keys", origin });
  });
}

function accountsOf(form: GatewaysForm): GatewayAccount[] {
  return connectableAccounts().map(({ name, toggle, keys }) => {
    const typedValue = (storedAs: KeyField["storedAs"]) => {
      const value = pick(form, keys.find((key) => key.storedAs === storedAs)?.field ?? "");
      return typeof value === "string" ? value : undefined;
    };
    const enabled = pick(form, toggle.field);
    return {
      provider: name,
      enabled: typeof enabled === "boolean" ? enabled : undefined,
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
