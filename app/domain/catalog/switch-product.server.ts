import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { needContent } from "#app/domain/catalog/need-content.server.ts";
import { ownProduct } from "#app/domain/catalog/own-product.server.ts";
import { noProduct } from "#app/domain/catalog/product-id.ts";

const NO_CONTENT = "falta o conteúdo. Envie um arquivo, ou inclua um link ou um texto, e ative de novo.";

/** Puts a product on sale or takes it off. @returns its name @throws Refusal not-found; invalid where it has no content */
export async function switchProduct(sellerId: string, productId: number, active: boolean): Promise<string> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(products)
      .set({
        deactivatedAt: active ? null : sql`coalesce(${products.deactivatedAt}, now())`,
        updatedAt: new Date(),
      })
      .where(ownProduct(sellerId, productId))
      .returning({ name: products.name });
    if (!row) throw noProduct();
    await needContent(tx, productId, NO_CONTENT);
    await notify(tx, "storefront", String(productId));
    return row.name;
  });
}
