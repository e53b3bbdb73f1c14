import { asc, eq } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { orderBumps, products, upsellOffers } from "#app/db/schema/products.server.ts";
import { ownProduct } from "#app/domain/catalog/own-product.server.ts";
import { noProduct } from "#app/domain/catalog/product-id.ts";

/** A product with all its bumps and offers as its seller sees them, file addresses too. Money in cents. */
export type OwnProduct = typeof products.$inferSelect & {
  bumps: (typeof orderBumps.$inferSelect)[];
  offers: (typeof upsellOffers.$inferSelect)[];
};

/** A seller's product with its bumps and offers. @throws Refusal not-found */
export async function findProduct(sellerId: string, productId: number, tx: Db = db): Promise<OwnProduct> {
  const [product] = await tx.select().from(products).where(ownProduct(sellerId, productId));
  if (!product) throw noProduct();
  const bumps = await tx
    .select()
    .from(orderBumps)
    .where(eq(orderBumps.productId, productId))
    .orderBy(asc(orderBumps.position), asc(orderBumps.id));
  const offers = await tx
    .select()
    .from(upsellOffers)
    .where(eq(upsellOffers.productId, productId))
    .orderBy(asc(upsellOffers.position), asc(upsellOffers.id));
  return { ...product, bumps, offers };
}
