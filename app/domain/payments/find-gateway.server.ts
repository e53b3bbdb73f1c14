import { and, eq, isNotNull } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { gatewayAccounts } from "#app/db/schema/payments.server.ts";
import { providers } from "#app/domain/payments/providers/index.server.ts";
import type { Credentials, Provider } from "#app/domain/payments/providers/port.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** A seller's working connection to a provider. */
export type Gateway = {
  provider: Provider;
  credentials: Credentials;
  hookToken: string;
  feeCents: number | null;
};

/** The gateway a seller takes payments with, or null. */
export async function findGateway(sellerId: string, tx: Db = db): Promise<Gateway | null> {
  const rows = await tx
    .select()
    .from(gatewayAccounts)
    .where(and(eq(gatewayAccounts.sellerId, sellerId), isNotNull(gatewayAccounts.enabledAt)));
  return openFirst(rows);
}

/** The first of a seller's accounts that works as a connection, or null. */
export function openFirst(rows: (typeof gatewayAccounts.$inferSelect | null)[]): Gateway | null {
  for (const row of rows) {
    const gateway = row && openGateway(row);
    if (gateway) return gateway;
  }
  return null;
}

/** The account a charge was made with, also after the seller switched the gateway off: payments still arrive. */
export async function findGatewayOf(
  sellerId: string,
  provider: string,
  tx: Db = db,
): Promise<Gateway | null> {
  const [row] = await tx
    .select()
    .from(gatewayAccounts)
    .where(and(eq(gatewayAccounts.sellerId, sellerId), eq(gatewayAccounts.provider, provider)));
  return row ? openGateway(row) : null;
}

/** An account as a connection; null where it has no key or its provider is unknown. */
export function openGateway(row: typeof gatewayAccounts.$inferSelect): Gateway | null {
  const provider = providers[row.provider];
  if (!provider || !row.apiKeySealed) return null;
  return {
    provider,
    credentials: { apiKey: unseal(row.apiKeySealed) },
    hookToken: row.hookToken,
    feeCents: row.feeCents,
  };
}
