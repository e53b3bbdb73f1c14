import { eq, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { contentItems, contents } from "#app/db/schema/files.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { ownProduct } from "#app/domain/catalog/own-product.server.ts";
import { noProduct } from "#app/domain/catalog/product-id.ts";
import { Refusal } from "#app/kit/refusal.ts";

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

/**
 * What is on sale gives its buyers something: a link, or what the product's content holds. Asked of a product whose row is
 * held, as it stands now.
 * @throws Refusal invalid at `file_url`, with `message`
 */
export async function needContent(tx: Tx, productId: number, message: string): Promise<void> {
  const item = tx
    .select({ id: contentItems.id })
    .from(contentItems)
    .innerJoin(contents, eq(contents.id, contentItems.contentId))
    .where(eq(contents.productId, productId));
  const [row] = await tx
    .select({
      lacks: sql<boolean>`${products.deactivatedAt} is null and ${products.fileUrl} is null and not exists ${item}`,
    })
    .from(products)
    .where(eq(products.id, productId));
  if (row?.lacks) throw new Refusal("invalid", message, "file_url");
}
