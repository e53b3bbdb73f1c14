import { and, eq, isNotNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { providers } from "#app/domain/payments/providers/index.server.ts";
import type { Credentials, Provider } from "#app/domain/payments/providers/port.ts";
import { pick } from "#app/kit/pick.ts";
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

/** The gateway a seller takes payments with, or null. One statement. */
export async function findGateway(sellerId: string): Promise<Gateway | null> {
  const rows = await db
    .select(gatewayColumns)
    .from(gatewayAccounts)
    .innerJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(and(eq(gatewayAccounts.sellerId, sellerId), isNotNull(gatewayAccounts.enabledAt)));
  return openFirst(rows);
}

/** The first of a seller's accounts that has a key and a provider we know, or null. */
export function openFirst(rows: GatewayRow[]): Gateway | null {
  for (const { provider: name, hookToken, keyId, apiKeySealed } of rows) {
    const provider = pick(providers, name ?? "");
    if (provider && hookToken && keyId && apiKeySealed)
      return { provider, credentials: { apiKey: unseal(apiKeySealed) }, keyId, hookToken };
  }
  return null;
}
