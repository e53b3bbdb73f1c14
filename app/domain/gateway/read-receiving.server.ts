import { and, eq, isNotNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { gatewayAccounts } from "#app/db/schema/payments.server.ts";
import { inTriedOrder } from "#app/domain/gateway/find-gateway.server.ts";
import { refusedAccountsSql } from "#app/domain/gateway/find-refused-accounts.server.ts";
import { untestedKeysSql } from "#app/domain/gateway/untested-keys.server.ts";

/**
 * Whether a seller's checkouts receive PIX. `untested`: nothing has shown yet that a provider accepts the key; `refused`: none
 * does; `off`: a key is saved, and receiving by PIX is switched off.
 */
export type Receiving = "on" | "untested" | "refused" | "off" | "missing";

/** Whether a seller receives PIX, from their accounts that have a key. */
export async function readReceiving(sellerId: string): Promise<Receiving> {
  const accounts = await db
    .select({
      provider: gatewayAccounts.provider,
      position: gatewayAccounts.position,
      enabledAt: gatewayAccounts.enabledAt,
      isRefused: sql<boolean>`${gatewayAccounts.provider} in ${refusedAccountsSql(sellerId)}`,
      isUntested: sql<boolean>`${gatewayAccounts.provider} in ${untestedKeysSql(sellerId)}`,
    })
    .from(gatewayAccounts)
    .where(and(eq(gatewayAccounts.sellerId, sellerId), isNotNull(gatewayAccounts.keyId)));
  const withKeys = inTriedOrder(accounts);
  const enabled = withKeys.filter(({ enabledAt }) => enabledAt !== null);
  if (enabled.length === 0) return withKeys.length > 0 ? "off" : "missing";
  const accepted = enabled.filter(({ isRefused }) => !isRefused);
  if (accepted.length === 0) return "refused";
  return accepted.every(({ isUntested }) => isUntested) ? "untested" : "on";
}
