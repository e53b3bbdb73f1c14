import { and, eq, isNull, type SQL } from "drizzle-orm";
import { products } from "#app/db/schema/products.server.ts";

/** The condition for a seller's product with this id, unless it was deleted. */
export function isOwnProduct(sellerId: string, productId: number): SQL | undefined {
  return and(eq(products.id, productId), eq(products.sellerId, sellerId), isNull(products.archivedAt));
}
