import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { trackingProducts } from "#app/db/schema/tracking.server.ts";
import { notFound } from "#app/kit/refusal.ts";

/** A seller's products with whether each is reported; one that was never switched is. Price in cents. */
export type TrackedProduct = {
  id: number;
  name: string;
  priceCents: number;
  isActive: boolean;
  isEnabled: boolean;
};

export function listTrackedProducts(sellerId: string): Promise<TrackedProduct[]> {
  return db
    .select({
      id: products.id,
      name: products.name,
      priceCents: products.priceCents,
      isActive: sql<boolean>`${products.deactivatedAt} is null`,
      isEnabled: sql<boolean>`coalesce(${trackingProducts.isEnabled}, true)`,
    })
    .from(products)
    .leftJoin(trackingProducts, eq(trackingProducts.productId, products.id))
    .where(and(eq(products.sellerId, sellerId), isNull(products.archivedAt)))
    .orderBy(asc(products.name), asc(products.id));
}

/** Keeps which of a seller's products are reported. @throws Refusal not-found for a product that is not theirs */
export async function saveTrackedProducts(
  sellerId: string,
  wanted: Map<number, boolean>,
  tx: Db = db,
): Promise<void> {
  if (wanted.size === 0) return;
  const ids = [...wanted.keys()];
  const own = await tx
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.sellerId, sellerId), inArray(products.id, ids)));
  if (own.length !== ids.length) throw notFound("Produto não encontrado");
  await tx
    .insert(trackingProducts)
    .values(ids.map((productId) => ({ productId, isEnabled: wanted.get(productId)! })))
    .onConflictDoUpdate({
      target: trackingProducts.productId,
      set: { isEnabled: sql`excluded.is_enabled` },
    });
}
