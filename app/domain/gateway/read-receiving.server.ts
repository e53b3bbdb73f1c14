import { and, eq, isNotNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { gatewayAccounts } from "#app/db/schema/payments.server.ts";
import { findGateway, inTriedOrder } from "#app/domain/gateway/find-gateway.server.ts";

/** Whether a seller's checkouts receive payments; `off`: a key is saved, and receiving by PIX is switched off. */
export type Receiving = "on" | "off" | "missing";

export async function readReceiving(sellerId: string): Promise<Receiving> {
  if (await findGateway(sellerId)) return "on";
  const withKeys = await db
    .select({ provider: gatewayAccounts.provider, position: gatewayAccounts.position })
    .from(gatewayAccounts)
    .where(and(eq(gatewayAccounts.sellerId, sellerId), isNotNull(gatewayAccounts.keyId)));
  return inTriedOrder(withKeys).length > 0 ? "off" : "missing";
}
