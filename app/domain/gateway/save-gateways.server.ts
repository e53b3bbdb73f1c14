import { notify } from "#app/db/notify.server.ts";
import { inSellersTurn, refuseStale, versionOf } from "#app/db/version.server.ts";
import { connectableAccounts } from "#app/domain/gateway/gateway-accounts.server.ts";
import type { GatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import type { KeyField } from "#app/domain/gateway/providers/account-form.ts";
import {
  type GatewayAccount,
  type Saved,
  saveGatewayAccount,
} from "#app/domain/gateway/save-gateway-account.server.ts";
import { type Gateways, showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { queueSecurityNotice } from "#app/domain/mail/queue/queue-security-notice.server.ts";
import { checkResendKey } from "#app/domain/mail/resend/check-resend-key.server.ts";
import { keepResendKey } from "#app/domain/mail/resend/save-resend-key.server.ts";
import { saveConnectionCard } from "#app/domain/outbox/utmify/save-connection.server.ts";
import type { Origin } from "#app/kit/device.ts";
import { pick } from "#app/kit/pick.ts";

/**
 * Keeps a seller's gateway settings, whole or in part: all of what was given or nothing. The seller is told where a key is
 * another, or a gateway on or off.
 * @throws Refusal invalid; conflict where any of what the form shows was saved since `version`
 */
export async function saveGateways(
  sellerId: string,
  form: GatewaysForm,
  from?: Origin,
  version?: string,
): Promise<void> {
  const mailKey = await checkResendKey(sellerId, form.resend_api_key ?? "");
  // Two forms that are new to an account would wait for each other on its two unique keys.
  await inSellersTurn(sellerId, async (tx) => {
    refuseStale(version, gatewaysVersion(await showGateways(sellerId, tx)));
    await keepResendKey(tx, sellerId, mailKey, from);
    const saved: Saved[] = [];
    for (const account of accountsOf(form)) saved.push(await saveGatewayAccount(tx, sellerId, account));
    await saveConnectionCard(
      sellerId,
      { enabled: form.utmfy_enabled, token: form.utmfy_api_token, sourceId: form.utmfy_source_id },
      tx,
      from,
    );
    // Checkouts tell whether their seller can be paid.
    if (saved.some(({ written }) => written)) await notify(tx, "storefront", `seller:${sellerId}`);
    if (saved.some(({ changed }) => changed))
      await queueSecurityNotice(tx, sellerId, { change: "payment-keys", from });
  });
}

function accountsOf(form: GatewaysForm): GatewayAccount[] {
  return connectableAccounts().map(({ name, toggle, keys }) => {
    const typed = (holds: KeyField["holds"]) => {
      const value = pick(form, keys.find((key) => key.holds === holds)?.field ?? "");
      return typeof value === "string" ? value : undefined;
    };
    const enabled = pick(form, toggle.field);
    return {
      provider: name,
      enabled: typeof enabled === "boolean" ? enabled : undefined,
      apiKey: typed("apiKey"),
      publicKey: typed("publicKey"),
      webhookSecret: typed("webhookSecret"),
    };
  });
}

/** The version of what the gateways' form shows: what other forms keep is left out. */
export function gatewaysVersion(shown: Gateways): string {
  const { utmfy_api_token, utmfy_source_id, resend_api_key, ...form } = shown;
  return versionOf(form);
}
