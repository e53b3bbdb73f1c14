import { and, eq, isNull, type SQL } from "drizzle-orm";
import { products } from "#app/db/schema/products.server.ts";

/** This seller's product with this id, unless it was deleted: for every `where`. */
export function ownProduct(sellerId: string, productId: number): SQL | undefined {
  return and(eq(products.id, productId), eq(products.sellerId, sellerId), isNull(products.archivedAt));
}
