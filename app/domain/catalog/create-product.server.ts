import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import type { ProductFields } from "#app/domain/catalog/product-form.server.ts";
import { saveBumps } from "#app/domain/catalog/save-bumps.server.ts";
import { saveOffers } from "#app/domain/catalog/save-offers.server.ts";
import { orSlugTaken } from "#app/domain/catalog/slug-taken.server.ts";
import { claimPictures } from "#app/domain/picture/claim-pictures.server.ts";
import { productPictures } from "#app/domain/picture/product-pictures.ts";

/**
 * A new product with its order bumps and upsell offers; one without a link waits for its content, off sale.
 * @returns its id @throws Refusal conflict at `checkout_slug`
 */
export async function createProduct(sellerId: string, fields: ProductFields): Promise<number> {
  const { bumps = [], offers = [], active = true, ...columns } = fields;
  return orSlugTaken(
    db.transaction(async (tx) => {
      await claimPictures(tx, sellerId, productPictures(fields));
      const [row] = await tx
        .insert(products)
        .values({ ...columns, sellerId, deactivatedAt: active && columns.fileUrl ? null : new Date() })
        .returning({ id: products.id });
      if (bumps.length > 0) await saveBumps(tx, { sellerId, productId: row!.id }, bumps);
      if (offers.length > 0) await saveOffers(tx, { sellerId, productId: row!.id }, offers);
      return row!.id;
    }),
  );
}
