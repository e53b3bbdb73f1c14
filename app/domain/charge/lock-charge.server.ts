import { and, eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";

/**
 * Locks a charge. The lock order is charge, sale, refunds, which prevents deadlocks. `no key update` lets rows that
 * reference it be inserted meanwhile. Without the seller, all are searched.
 */
export async function lockCharge(tx: Tx, chargeId: string, sellerId?: string) {
  return tx
    .select({ sellerId: charges.sellerId, saleId: charges.saleId })
    .from(charges)
    .where(and(sellerId ? eq(charges.sellerId, sellerId) : undefined, eq(charges.id, chargeId)))
    .for("no key update");
}
