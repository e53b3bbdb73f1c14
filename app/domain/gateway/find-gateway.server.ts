import { type AnyColumn, and, eq, isNotNull, type SQL } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { Credentials, Provider } from "#app/domain/gateway/providers/port.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** A seller's working connection to a provider: what a new charge is made with. */
export type Gateway = {
  provider: Provider;
  credentials: Credentials;
  keyId: string;
  hookToken: string;
};

/** What a query reads of an account and its key. */
export const gatewayColumns = {
  provider: gatewayAccounts.provider,
  hookToken: gatewayAccounts.hookToken,
  keyId: gatewayAccounts.keyId,
  apiKeySealed: gatewayKeys.apiKeySealed,
};

type GatewayRow = {
  provider: string | null;
  hookToken: string | null;
  keyId: string | null;
  apiKeySealed: string | null;
};

/** The gateway a seller takes payments with, or null. */
export async function findGateway(sellerId: string): Promise<Gateway | null> {
  const rows = await db
    .select(gatewayColumns)
    .from(gatewayAccounts)
    .innerJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(isAccountOf(sellerId));
  return openFirst(rows);
}

/** For a statement: the accounts a seller is paid through. */
export function isAccountOf(sellerId: string | AnyColumn): SQL | undefined {
  return and(eq(gatewayAccounts.sellerId, sellerId), isNotNull(gatewayAccounts.enabledAt));
}

/** A seller's account that has a key and a provider we know, or null; of several the first in the providers' order. */
export function openFirst(rows: GatewayRow[]): Gateway | null {
  for (const provider of Object.values(providers)) {
    const account = rows.find((row) => row.provider === provider.name);
    if (!account?.hookToken || !account.keyId || !account.apiKeySealed) continue;
    const { hookToken, keyId, apiKeySealed } = account;
    return { provider, credentials: { apiKey: unseal(apiKeySealed) }, keyId, hookToken };
  }
  return null;
}
