import { and, desc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** A purchase made before. */
export type OwnedPurchase = { saleId: string; completedAt: Date; emailCorrectedAt: Date | null };

/** An earlier, paid purchase of the product that an order is for, by the same e-mail; null where there is none or it is an offer. */
export async function findOwned(saleId: string): Promise<OwnedPurchase | null> {
  if (!isUuid(saleId)) return null;
  const order = db
    .select({ email: sales.customerEmail, productId: sales.productId })
    .from(sales)
    .where(and(eq(sales.id, saleId), isNull(sales.parentSaleId)))
    .as("ordered");
  const [owned] = await db
    .select({
      saleId: sales.id,
      completedAt: sales.completedAt,
      emailCorrectedAt: sales.emailCorrectedAt,
    })
    .from(sales)
    .innerJoin(order, and(eq(sales.customerEmail, order.email), eq(sales.productId, order.productId)))
    .where(and(eq(sales.status, "completed"), isNull(sales.parentSaleId)))
    .orderBy(desc(sales.completedAt))
    .limit(1);
  return owned?.completedAt ? { ...owned, completedAt: owned.completedAt } : null;
}
