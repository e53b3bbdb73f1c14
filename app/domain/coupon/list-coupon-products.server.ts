import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";

/** A product that a coupon may be for. */
export type CouponProduct = { id: number; name: string; checkoutSlug: string | null; active: boolean };

/** A seller's products by name: all of them, or those of `ids`. */
export async function listCouponProducts(sellerId: string, ids?: number[]): Promise<CouponProduct[]> {
  if (ids?.length === 0) return [];
  return db
    .select({
      id: products.id,
      name: products.name,
      checkoutSlug: products.checkoutSlug,
      active: sql<boolean>`${products.deactivatedAt} is null`,
    })
    .from(products)
    .where(
      and(eq(products.sellerId, sellerId), isNull(products.archivedAt), ids && inArray(products.id, ids)),
    )
    .orderBy(asc(products.name), asc(products.id));
}
