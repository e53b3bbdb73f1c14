import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { connectableAccounts } from "#app/domain/gateway/gateway-accounts.server.ts";
import type { GatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import type { KeyField } from "#app/domain/gateway/providers/account-form.ts";
import {
  type GatewayAccount,
  type Saved,
  saveGatewayAccount,
} from "#app/domain/gateway/save-gateway-account.server.ts";
import { queueSecurityNotice } from "#app/domain/mail/queue/queue-security-notice.server.ts";
import { saveResendKey } from "#app/domain/mail/resend/save-resend-key.server.ts";
import { saveConnectionCard } from "#app/domain/tracking/save-connection.server.ts";
import type { Origin } from "#app/kit/device.ts";
import { pick } from "#app/kit/pick.ts";

/**
 * Keeps a seller's gateway settings, whole or in part. The mail key goes first: where it is refused nothing is saved. The
 * seller is told where a key is another, or a gateway on or off.
 * @throws Refusal invalid
 */
export async function saveGateways(sellerId: string, form: GatewaysForm, from?: Origin): Promise<void> {
  if (form.resend_api_key) await saveResendKey(sellerId, form.resend_api_key, from);
  await db.transaction(async (tx) => {
    // One form of a seller after the other: two that are new to an account would wait for each other on its two unique keys.
    await tx.select({ id: sellers.id }).from(sellers).where(eq(sellers.id, sellerId)).for("no key update");
    const saved: Saved[] = [];
    for (const account of accountsOf(form)) saved.push(await saveGatewayAccount(tx, sellerId, account));
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
