import { and, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";

/** How many products a seller has, and how many of them are on sale. */
export async function countProducts(sellerId: string): Promise<{ active: number; total: number }> {
  const [row] = await db
    .select({
      active: sql<number>`count(*) filter (where ${products.deactivatedAt} is null)`.mapWith(Number),
      total: sql<number>`count(*)`.mapWith(Number),
    })
    .from(products)
    .where(and(eq(products.sellerId, sellerId), isNull(products.archivedAt)));
  return row!;
}
