import { type AnyColumn, and, eq, isNotNull, type SQL } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { Credentials, Provider } from "#app/domain/gateway/providers/port.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** A seller's working connection to a provider, for new charges. */
export type Gateway = {
  provider: Provider;
  credentials: Credentials;
  keyId: string;
  hookToken: string;
};

/** The columns of an account and its key. */
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

/** The gateway a seller is usually paid through, or null. */
export async function findGateway(sellerId: string): Promise<Gateway | null> {
  const rows = await db
    .select(gatewayColumns)
    .from(gatewayAccounts)
    .innerJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(isAccountOf(sellerId));
  return listGateways(rows)[0] ?? null;
}

/** A condition for the enabled accounts of a seller. */
export function isAccountOf(sellerId: string | AnyColumn): SQL | undefined {
  return and(eq(gatewayAccounts.sellerId, sellerId), isNotNull(gatewayAccounts.enabledAt));
}

/** The accounts with a key and a known provider, in the order of `providers`: the first is tried first. */
export function listGateways(rows: GatewayRow[]): Gateway[] {
  return Object.values(providers).flatMap((provider) => {
    const account = rows.find((row) => row.provider === provider.name);
    if (!account?.hookToken || !account.keyId || !account.apiKeySealed) return [];
    const { hookToken, keyId, apiKeySealed } = account;
    return [{ provider, credentials: { apiKey: unseal(apiKeySealed) }, keyId, hookToken }];
  });
}
