import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import type { ProductFields } from "#app/domain/catalog/product-form.server.ts";
import { saveBumps } from "#app/domain/catalog/save-bumps.server.ts";
import { saveUpsells } from "#app/domain/catalog/save-upsells.server.ts";
import { orSlugConflict } from "#app/domain/catalog/slug-conflict.server.ts";
import { productPictureAddresses } from "#app/domain/picture/product-picture-addresses.ts";
import { requireOwnPictures } from "#app/domain/picture/require-own-pictures.server.ts";

/**
 * Creates a product with its order bumps and upsells; without a link it stays inactive until it has content.
 * @returns its id @throws Refusal conflict at `checkout_slug`
 */
export async function createProduct(sellerId: string, fields: ProductFields): Promise<number> {
  const { bumps = [], upsells = [], active, ...columns } = fields;
  return orSlugConflict(
    db.transaction(async (tx) => {
      await requireOwnPictures(tx, sellerId, productPictureAddresses(fields));
      const [row] = await tx
        .insert(products)
        .values({ ...columns, sellerId, deactivatedAt: active && columns.fileUrl ? null : new Date() })
        .returning({ id: products.id });
      if (bumps.length > 0) await saveBumps(tx, { sellerId, productId: row!.id }, bumps);
      if (upsells.length > 0) await saveUpsells(tx, { sellerId, productId: row!.id }, upsells);
      return row!.id;
    }),
  );
}
