import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { ownProduct } from "#app/domain/catalog/own-product.server.ts";
import { noProduct } from "#app/domain/catalog/product-id.ts";

/**
 * Takes a product away for good. One with sales, paid or not, is kept out of sight for them, and its slug is free again.
 * @throws Refusal not-found
 */
export async function deleteProduct(sellerId: string, productId: number): Promise<"deleted" | "archived"> {
  return db.transaction(async (tx) => {
    // A sale that is being placed holds the row too: whoever comes first is seen by the other.
    const [row] = await tx
      .select({ id: products.id })
      .from(products)
      .where(ownProduct(sellerId, productId))
      .for("update");
    if (!row) throw noProduct();
    const [sale] = await tx
      .select({ id: sales.id })
      .from(sales)
      .where(eq(sales.productId, productId))
      .limit(1);
    const now = new Date();
    if (sale)
      await tx
        .update(products)
        .set({ archivedAt: now, checkoutSlug: null, updatedAt: now })
        .where(ownProduct(sellerId, productId));
    else await tx.delete(products).where(ownProduct(sellerId, productId));
    await notify(tx, "storefront", String(productId));
    return sale ? "archived" : "deleted";
  });
}
