import { and, asc, eq, or, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { sellerOfSale } from "#app/db/conditions.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { linksRevokedAt } from "#app/domain/sale/sale-anonymization.server.ts";

/** A sale of an order, locked. */
export type OrderedSale = Awaited<ReturnType<typeof lockOrder>>[number];

/** How a statement that locks the sales of several orders sorts them: those of one order as `lockOrder` locks them. */
export const inLockOrder = sql`coalesce(parent_sale_id, id), parent_sale_id nulls first, id`;

/**
 * Locks a purchase and its upsells, by the id of either. The purchase is locked first, as in `acceptUpsell`: the
 * upsells are read when no more can be added, and two corrections wait for each other.
 */
export async function lockOrder(tx: Tx, saleId: string) {
  const root = sql`(select coalesce(parent_sale_id, id) from sales where id = ${saleId})`;
  await tx.select({ id: sales.id }).from(sales).where(eq(sales.id, root)).for("no key update");
  return tx
    .select({
      id: sales.id,
      parentSaleId: sales.parentSaleId,
      sellerId: sales.sellerId,
      status: sales.status,
      amountCents: sales.amountCents,
      accessSuspendedAt: sales.accessSuspendedAt,
      customerName: sales.customerName,
      customerEmail: sales.customerEmail,
      completedAt: sales.completedAt,
      emailCorrectedAt: linksRevokedAt,
      anonymizedAt: sales.anonymizedAt,
    })
    .from(sales)
    .where(
      or(eq(sales.id, root), and(eq(sales.sellerId, sellerOfSale(saleId)), eq(sales.parentSaleId, root))),
    )
    .orderBy(asc(sales.id))
    .for("no key update");
}
