import { type AnyColumn, and, eq, isNotNull, type SQL } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { Credentials, Provider } from "#app/domain/gateway/providers/port.ts";
import { pick } from "#app/kit/pick.ts";
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
  position: gatewayAccounts.position,
  hookToken: gatewayAccounts.hookToken,
  keyId: gatewayAccounts.keyId,
  apiKeySealed: gatewayKeys.apiKeySealed,
};

/** Such a row. */
export type GatewayRow = {
  provider: string | null;
  position: number | null;
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

/** The accounts with a key and a known provider, the one that is tried first in front. */
export function listGateways(rows: GatewayRow[]): Gateway[] {
  return inTriedOrder(rows).flatMap((account) => toGateway(account) ?? []);
}

/** The gateway of an account; null without a key or a known provider. */
export function toGateway({ provider: name, hookToken, keyId, apiKeySealed }: GatewayRow): Gateway | null {
  const provider = pick(providers, name ?? "");
  if (!provider || !hookToken || !keyId || !apiKeySealed) return null;
  return { provider, credentials: { apiKey: unseal(apiKeySealed) }, keyId, hookToken };
}

/** Accounts at providers, as their codes are requested: by the seller's choice, then in the order of `providers`. */
export function inTriedOrder<T extends { provider: string | null; position: number | null }>(
  accounts: T[],
): T[] {
  const names = Object.keys(providers);
  const rank = ({ provider }: T) => names.indexOf(provider ?? "");
  return accounts
    .filter((account) => rank(account) >= 0)
    .sort((a, b) => (a.position ?? 0) - (b.position ?? 0) || rank(a) - rank(b));
}
