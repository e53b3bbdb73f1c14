import { and, eq, isNotNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { gatewayAccounts } from "#app/db/schema/payments.server.ts";

/** What a seller's providers said where the last test of an account as a spare failed, by provider. */
export async function findSpareFailures(sellerId: string): Promise<Map<string, string>> {
  const rows = await db
    .select({ provider: gatewayAccounts.provider, failure: gatewayAccounts.spareFailure })
    .from(gatewayAccounts)
    .where(and(eq(gatewayAccounts.sellerId, sellerId), isNotNull(gatewayAccounts.spareFailure)));
  return new Map(rows.map(({ provider, failure }) => [provider, failure!]));
}
