import { and, eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";

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

/** Locks a charge and then its sale. @returns false where another session holds one of them; nothing waits for it then */
export async function lockFreeChargeAndSale(tx: Tx, chargeId: string, sellerId: string): Promise<boolean> {
  const skip = { skipLocked: true } as const;
  const [charge] = await tx
    .select({ saleId: charges.saleId })
    .from(charges)
    .where(ownById(charges, sellerId, chargeId))
    .for("no key update", skip);
  if (!charge) return false;
  const sale = await tx
    .select({ id: sales.id })
    .from(sales)
    .where(ownById(sales, sellerId, charge.saleId))
    .for("no key update", skip);
  return sale.length > 0;
}

/**
 * Locks a charge and then its sale, as whatever reads more of the sale must before it ends a charge that another one may replace
 * meanwhile. `moveCharge` alone locks the sale itself.
 */
export async function lockChargeAndSale(tx: Tx, chargeId: string, sellerId: string): Promise<void> {
  const [charge] = await lockCharge(tx, chargeId, sellerId);
  if (charge)
    await tx
      .select({ id: sales.id })
      .from(sales)
      .where(ownById(sales, sellerId, charge.saleId))
      .for("no key update");
}
