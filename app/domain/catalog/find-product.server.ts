import { and, asc, eq } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { isOwnProduct } from "#app/domain/catalog/is-own-product.server.ts";
import { productNotFound } from "#app/domain/catalog/parse-product-id.ts";

/** A product with all its bumps and upsells for its seller, including file addresses. Money in cents. */
export type OwnProduct = typeof products.$inferSelect & {
  bumps: (typeof orderBumps.$inferSelect)[];
  upsells: (typeof upsells.$inferSelect)[];
};

/** A seller's product with its bumps and upsells. @throws Refusal not-found */
export async function findProduct(sellerId: string, productId: number, tx: Db = db): Promise<OwnProduct> {
  const [product] = await tx.select().from(products).where(isOwnProduct(sellerId, productId));
  if (!product) throw productNotFound();
  const bumps = await tx
    .select()
    .from(orderBumps)
    .where(and(eq(orderBumps.sellerId, sellerId), eq(orderBumps.productId, productId)))
    .orderBy(asc(orderBumps.position), asc(orderBumps.id));
  const productUpsells = await tx
    .select()
    .from(upsells)
    .where(and(eq(upsells.sellerId, sellerId), eq(upsells.productId, productId)))
    .orderBy(asc(upsells.position), asc(upsells.id));
  return { ...product, bumps, upsells: productUpsells };
}
