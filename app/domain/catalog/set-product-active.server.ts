import { eq, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { contentItems, contents } from "#app/db/schema/files.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import {
  findOfferWithoutContent,
  isSellable,
} from "#app/domain/catalog/content/find-offer-without-content.server.ts";
import { isOwnProduct } from "#app/domain/catalog/is-own-product.server.ts";
import { productNotFound } from "#app/domain/catalog/parse-product-id.ts";
import { Refusal } from "#app/kit/refusal.ts";

const MISSING_CONTENT_TEXT =
  "falta o conteúdo. Envie um arquivo, ou inclua um link ou um texto, e ative de novo.";

/** Activates or deactivates a product. @returns its name @throws Refusal not-found; invalid where it has no content */
export async function setProductActive(
  sellerId: string,
  productId: number,
  active: boolean,
): Promise<string> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(products)
      .set({
        deactivatedAt: active ? null : sql`coalesce(${products.deactivatedAt}, now())`,
        updatedAt: new Date(),
      })
      .where(isOwnProduct(sellerId, productId))
      .returning({ name: products.name });
    if (!row) throw productNotFound();
    await requireContent(tx, { sellerId, productId }, MISSING_CONTENT_TEXT);
    await notify(tx, "storefront", String(productId));
    return row.name;
  });
}

/**
 * An active product must deliver something: a link, or its content, and without a link each of its offers, too. The caller
 * has locked the product's row.
 * @throws Refusal invalid at `file_url`, with `message` where the product has no content
 */
export async function requireContent(
  tx: Tx,
  { sellerId, productId }: { sellerId: string; productId: number },
  message: string,
): Promise<void> {
  const item = tx
    .select({ id: contentItems.id })
    .from(contentItems)
    .innerJoin(contents, eq(contents.id, contentItems.contentId))
    .where(eq(contents.productId, productId));
  const [row] = await tx
    .select({
      needsContent: sql<boolean>`${products.deactivatedAt} is null and ${products.fileUrl} is null`,
      hasContent: sql<boolean>`exists ${item}`,
    })
    .from(products)
    .where(isOwnProduct(sellerId, productId));
  if (!row?.needsContent) return;
  if (!row.hasContent) throw new Refusal("invalid", message, "file_url");
  const emptyOffer = await findOfferWithoutContent(tx, { sellerId, productId }, isSellable);
  if (emptyOffer)
    throw new Refusal(
      "invalid",
      `A oferta "${emptyOffer.name}" só tem conteúdo que foi removido: inclua outro nela, ou apague-a.`,
      "file_url",
    );
}
