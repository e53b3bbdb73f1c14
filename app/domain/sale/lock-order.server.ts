import { asc, eq, or, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { linksEndedAt } from "#app/domain/sale/emptied-why.server.ts";

/** A sale of an order, as it is locked. */
export type OrderedSale = Awaited<ReturnType<typeof lockOrder>>[number];

/**
 * A purchase and what was taken after it, by either's id. The purchase is locked first, as taking an offer locks it: the
 * others are read when no more can come, and two corrections wait for each other.
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
      accessSuspendedAt: sales.accessSuspendedAt,
      customerName: sales.customerName,
      customerEmail: sales.customerEmail,
      completedAt: sales.completedAt,
      emailCorrectedAt: linksEndedAt,
      emptiedAt: sales.emptiedAt,
    })
    .from(sales)
    .where(or(eq(sales.id, root), eq(sales.parentSaleId, root)))
    .orderBy(asc(sales.id))
    .for("no key update");
}
