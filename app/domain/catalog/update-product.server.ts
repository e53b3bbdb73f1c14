import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { refuseStale } from "#app/db/version.server.ts";
import { findProduct, type OwnProduct } from "#app/domain/catalog/find-product.server.ts";
import { ownProduct } from "#app/domain/catalog/own-product.server.ts";
import { NO_LINK, type ProductFields } from "#app/domain/catalog/product-form.server.ts";
import { noProduct } from "#app/domain/catalog/product-id.ts";
import { ownProductJson } from "#app/domain/catalog/product-json.server.ts";
import { saveBumps } from "#app/domain/catalog/save-bumps.server.ts";
import { saveOffers } from "#app/domain/catalog/save-offers.server.ts";
import { orSlugTaken } from "#app/domain/catalog/slug-taken.server.ts";
import { needContent } from "#app/domain/catalog/switch-product.server.ts";
import { claimPictures } from "#app/domain/picture/claim-pictures.server.ts";
import { productPictures } from "#app/domain/picture/product-pictures.ts";

/**
 * Replaces a product's fields, and its bumps and offers where they are given; all or nothing. Every process drops its
 * cached pages. `version` is of what its seller looked at (`productVersion`); without it whatever is there is replaced.
 * @throws Refusal not-found (product, or a bump or offer that is not its own), conflict at `checkout_slug` or where the
 * product was saved since; invalid at `file_url` where it is on sale and its buyers would get nothing
 */
export async function updateProduct(
  sellerId: string,
  productId: number,
  { bumps, offers, active, ...columns }: ProductFields,
  version?: string,
): Promise<void> {
  await orSlugTaken(
    db.transaction(async (tx) => {
      // Two saves of one product go one after the other.
      const [held] = await tx
        .select({ id: products.id })
        .from(products)
        .where(ownProduct(sellerId, productId))
        .for("update");
      if (!held) throw noProduct();
      if (version !== undefined)
        refuseStale(version, productVersion(await findProduct(sellerId, productId, tx)));
      await claimPictures(tx, sellerId, productPictures({ ...columns, bumps, offers }));
      await tx
        .update(products)
        .set({
          ...columns,
          ...(active === undefined ? {} : { deactivatedAt: activeOr(active) }),
          updatedAt: new Date(),
        })
        .where(ownProduct(sellerId, productId));
      if (!columns.fileUrl) await needContent(tx, productId, NO_LINK);
      if (bumps) await saveBumps(tx, { sellerId, productId }, bumps);
      if (offers) await saveOffers(tx, { sellerId, productId }, offers);
      await notify(tx, "storefront", String(productId));
    }),
  );
}

function activeOr(active: boolean) {
  return active ? null : sql`coalesce(${products.deactivatedAt}, now())`;
}

/** The version of what a product's form shows. */
export function productVersion(product: OwnProduct): string {
  return ownProductJson(product).version;
}
