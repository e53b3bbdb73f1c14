import { and, eq, inArray, isNull, type SQL } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { productNotFound } from "#app/domain/catalog/parse-product-id.ts";

/** The condition for a seller's product with this id, unless it was deleted. */
export function isOwnProduct(sellerId: string, productId: number): SQL | undefined {
  return and(ownById(products, sellerId, productId), isNull(products.archivedAt));
}

/** `ids` is null for all products. @throws Refusal not-found where some are not the seller's */
export async function requireOwnProducts(tx: Db, sellerId: string, ids: number[] | null): Promise<void> {
  if (ids === null) return;
  const own = await tx
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.sellerId, sellerId), inArray(products.id, ids)));
  if (own.length !== new Set(ids).size) throw productNotFound();
}
