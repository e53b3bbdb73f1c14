import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { ownProduct } from "#app/domain/catalog/own-product.server.ts";
import type { ProductFields } from "#app/domain/catalog/product-form.server.ts";
import { noProduct } from "#app/domain/catalog/product-id.ts";
import { saveBumps } from "#app/domain/catalog/save-bumps.server.ts";
import { saveOffers } from "#app/domain/catalog/save-offers.server.ts";
import { orSlugTaken } from "#app/domain/catalog/slug-taken.server.ts";

/**
 * Replaces a product's fields, and its bumps and offers where they are given; all or nothing. Every process drops its
 * cached pages. @throws Refusal not-found (product, or a bump or offer that is not its own), conflict at `checkout_slug`
 */
export async function updateProduct(
  sellerId: string,
  productId: number,
  { bumps, offers, active, ...columns }: ProductFields,
): Promise<void> {
  await orSlugTaken(
    db.transaction(async (tx) => {
      // This also holds the row, so that two saves of one product go one after the other.
      const [row] = await tx
        .update(products)
        .set({
          ...columns,
          ...(active === undefined ? {} : { deactivatedAt: activeOr(active) }),
          updatedAt: new Date(),
        })
        .where(ownProduct(sellerId, productId))
        .returning({ id: products.id });
      if (!row) throw noProduct();
      if (bumps) await saveBumps(tx, productId, bumps);
      if (offers) await saveOffers(tx, productId, offers);
      await notify(tx, "storefront", String(productId));
    }),
  );
}

function activeOr(active: boolean) {
  return active ? null : sql`coalesce(${products.deactivatedAt}, now())`;
}
