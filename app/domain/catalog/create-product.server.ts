import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { withSellerLock } from "#app/db/version.server.ts";
import { refusePictureLinks } from "#app/domain/catalog/content/refuse-picture-links.server.ts";
import type { ProductFields } from "#app/domain/catalog/product-form.server.ts";
import { saveBumps } from "#app/domain/catalog/save-bumps.server.ts";
import { saveUpsells } from "#app/domain/catalog/save-upsells.server.ts";
import { orSlugConflict } from "#app/domain/catalog/slug-conflict.server.ts";
import { productPictureAddresses } from "#app/domain/picture/product-picture-addresses.ts";
import { requireOwnPictures } from "#app/domain/picture/require-own-pictures.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** More than a shop sells, and few enough to be counted for each new one. */
const MAX_PRODUCTS = 5000;

/**
 * Creates a product with its order bumps and upsells; without a link it stays inactive until it has content.
 * @returns its id @throws Refusal conflict at `checkout_slug`, or as `insertProduct` and `refusePictureLinks`
 */
export async function createProduct(sellerId: string, fields: ProductFields): Promise<number> {
  const { bumps = [], upsells = [], active, ...columns } = fields;
  await refusePictureLinks(fields);
  return orSlugConflict(
    withSellerLock(sellerId, async (tx) => {
      await requireOwnPictures(tx, sellerId, productPictureAddresses(fields));
      const deactivatedAt = active && columns.fileUrl ? null : new Date();
      const { id: productId } = await insertProduct(tx, { ...columns, sellerId, deactivatedAt });
      if (bumps.length > 0) await saveBumps(tx, { sellerId, productId }, bumps);
      if (upsells.length > 0) await saveUpsells(tx, { sellerId, productId }, upsells);
      return productId;
    }),
  );
}

/** Under the seller's lock. @throws Refusal conflict beyond `MAX_PRODUCTS` */
export async function insertProduct(
  tx: Tx,
  row: typeof products.$inferInsert,
): Promise<{ id: number; name: string }> {
  const n = await tx.$count(products, and(eq(products.sellerId, row.sellerId), isNull(products.archivedAt)));
  if (n >= MAX_PRODUCTS)
    throw new Refusal(
      "conflict",
      `Você já tem ${MAX_PRODUCTS.toLocaleString("pt-BR")} produtos: apague um antes de criar outro.`,
    );
  const [inserted] = await tx
    .insert(products)
    .values(row)
    .returning({ id: products.id, name: products.name });
  return inserted!;
}
