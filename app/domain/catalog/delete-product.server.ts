import { and, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { rejectStale } from "#app/db/version.server.ts";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { isOwnProduct } from "#app/domain/catalog/is-own-product.server.ts";
import { productNotFound } from "#app/domain/catalog/parse-product-id.ts";
import { productVersion } from "#app/domain/catalog/update-product.server.ts";

/**
 * Deletes a product. One with sales, paid or not, is archived for them, and its slug is its seller's to take again.
 * @param version the one that the seller saw; without it any is deleted
 * @throws Refusal not-found; conflict where the product was saved since `version`
 */
export async function deleteProduct(
  sellerId: string,
  productId: number,
  version?: string,
): Promise<"deleted" | "archived"> {
  return db.transaction(async (tx) => {
    // As those who change its offers: product, offers. An order takes them the other way round, which this lock allows.
    await tx
      .select({ id: products.id })
      .from(products)
      .where(isOwnProduct(sellerId, productId))
      .for("no key update");
    // Before the stronger lock of the product, as an order takes them: the other way round the two would deadlock.
    const isOffer = and(eq(offers.sellerId, sellerId), eq(offers.productId, productId));
    await tx.select({ id: offers.id }).from(offers).where(isOffer).orderBy(offers.id).for("no key update");
    // A sale that is being placed locks this row too, so that a product with sales is never deleted.
    const [row] = await tx
      .select({ id: products.id })
      .from(products)
      .where(isOwnProduct(sellerId, productId))
      .for("update");
    if (!row) throw productNotFound();
    if (version !== undefined)
      rejectStale(version, productVersion(await findProduct(sellerId, productId, tx)));
    const [sale] = await tx
      .select({ id: sales.id })
      .from(sales)
      .where(and(eq(sales.sellerId, sellerId), eq(sales.productId, productId)))
      .limit(1);
    const now = new Date();
    if (sale) {
      await tx
        .update(offers)
        .set({ archivedAt: now, slug: null, updatedAt: now })
        // Those deleted earlier keep their time: who brings the product back tells them apart by it.
        .where(and(isOffer, isNull(offers.archivedAt)));
      await tx
        .update(products)
        .set({ archivedAt: now, checkoutSlug: null, updatedAt: now })
        .where(isOwnProduct(sellerId, productId));
    } else await tx.delete(products).where(isOwnProduct(sellerId, productId));
    await notify(tx, "storefront", String(productId));
    return sale ? "archived" : "deleted";
  });
}
