import { and, asc, eq, type SQL } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
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
  return readProduct(sellerId, productId, isOwnProduct(sellerId, productId), tx);
}

/** The same, also of one that was deleted and has sales: its buyers keep what they bought. @throws Refusal not-found */
export async function findSoldProduct(sellerId: string, productId: number): Promise<OwnProduct> {
  return readProduct(sellerId, productId, ownById(products, sellerId, productId), db);
}

async function readProduct(
  sellerId: string,
  productId: number,
  isMeant: SQL | undefined,
  tx: Db,
): Promise<OwnProduct> {
  const [product] = await tx.select().from(products).where(isMeant);
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
