import { eq, getTableColumns } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { showConnection } from "#app/domain/delivery/utmify/connection.server.ts";
import { inTriedOrder } from "#app/domain/gateway/find-gateway.server.ts";
import { type ConnectableAccount, connectableAccounts } from "#app/domain/gateway/gateway-accounts.server.ts";
import { newHookToken } from "#app/domain/gateway/hook-token.server.ts";
import type { KeyField } from "#app/domain/gateway/providers/account-form.ts";
import { maskedResendKey } from "#app/domain/mail/resend/masked-resend-key.server.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { maskSecret, unseal } from "#app/platform/secrets.server.ts";

/** A seller's gateway settings by the form fields of the accounts; secrets are masked, or empty where none was saved. */
export type Gateways = {
  [field: string]: string | boolean;
  /** The provider that codes are requested from first; empty where no account can create one. */
  first_provider: string;
  utmfy_enabled: boolean;
  utmfy_api_token: string;
  utmfy_source_id: string;
  resend_api_key: string;
};

/** A seller's gateway settings for API and page. */
export async function showGateways(sellerId: string, tx: Db = db): Promise<Gateways> {
  const rows = await tx
    .select({ ...getTableColumns(gatewayAccounts), apiKeySealed: gatewayKeys.apiKeySealed })
    .from(gatewayAccounts)
    .leftJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(eq(gatewayAccounts.sellerId, sellerId));
  const tracking = await showConnection(sellerId, tx);
  const resendKey = await maskedResendKey(sellerId, tx);
  const accounts = connectableAccounts().flatMap((account) => {
    const saved = rows.find((row) => row.provider === account.name);
    return fieldsOf(account, saved, saved?.hookToken ?? newHookToken(sellerId, account.name));
  });
  return {
    ...Object.fromEntries(accounts),
    first_provider: firstOf(rows),
    utmfy_enabled: tracking.enabled,
    utmfy_api_token: tracking.token,
    utmfy_source_id: tracking.sourceId,
    resend_api_key: resendKey,
  };
}

function firstOf(rows: SavedAccount[]): string {
  const usable = rows.filter(({ enabledAt, keyId }) => enabledAt !== null && keyId !== null);
  return inTriedOrder(usable)[0]?.provider ?? "";
}

type SavedAccount = typeof gatewayAccounts.$inferSelect & { apiKeySealed: string | null };

function fieldsOf(
  { name, toggle, cardToggle, keys, charges }: ConnectableAccount,
  saved: SavedAccount | undefined,
  hookToken: string,
): [string, string | boolean][] {
  const webhook = charges?.webhook;
  return [
    [toggle.field, saved?.enabledAt != null],
    ...(cardToggle ? [[cardToggle.field, saved?.cardsEnabledAt != null] as [string, boolean]] : []),
    ...keys.map((key): [string, string] => [key.field, displayedValue(key, saved)]),
    ...(webhook
      ? [[webhook.field, env.APP_URL + paths.paymentWebhook(name, hookToken)] as [string, string]]
      : []),
  ];
}

function displayedValue({ storedAs, isSecret }: KeyField, saved: SavedAccount | undefined): string {
  const sealed = saved?.[`${storedAs}Sealed`];
  if (!sealed) return "";
  return isSecret ? maskSecret(unseal(sealed)) : unseal(sealed);
}
