import { db, type Tx } from "#app/db/client.server.ts";
import { deactivatedAtOf } from "#app/db/conditions.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { rejectStale } from "#app/db/version.server.ts";
import {
  findOfferWithoutContent,
  wasOrderedWithoutLink,
} from "#app/domain/catalog/content/find-offer-without-content.server.ts";
import { refusePictureLinks } from "#app/domain/catalog/content/refuse-picture-links.server.ts";
import {
  MISSING_SOLD_LINK_TEXT,
  refuseSoldWithoutContent,
} from "#app/domain/catalog/content/refuse-sold-without-content.server.ts";
import { findProduct, type OwnProduct } from "#app/domain/catalog/find-product.server.ts";
import { isOwnProduct } from "#app/domain/catalog/is-own-product.server.ts";
import { productNotFound } from "#app/domain/catalog/parse-product-id.ts";
import { MISSING_LINK_TEXT, type ProductFields } from "#app/domain/catalog/product-form.server.ts";
import { toOwnProductJson } from "#app/domain/catalog/product-json.server.ts";
import { saveBumps } from "#app/domain/catalog/save-bumps.server.ts";
import { saveUpsells } from "#app/domain/catalog/save-upsells.server.ts";
import { requireContent } from "#app/domain/catalog/set-product-active.server.ts";
import { orSlugConflict } from "#app/domain/catalog/slug-conflict.server.ts";
import { productPictureAddresses } from "#app/domain/picture/product-picture-addresses.ts";
import { requireOwnPictures } from "#app/domain/picture/require-own-pictures.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Replaces a product's fields, and its bumps and upsells where they are given; all or nothing. Every process drops its
 * cached pages. `version` is the one that the seller saw (`productVersion`); without it the update is unconditional.
 * @throws Refusal not-found (product, or a bump or upsell that is not its own), conflict at `checkout_slug` or where the
 * product was saved since; invalid at `file_url` where it is active and it or an offer would deliver nothing, or who bought it, a bump
 * or an upsell would be left with nothing, and at pictures and links as `requireOwnPictures` and `refusePictureLinks`
 */
export async function updateProduct(
  sellerId: string,
  productId: number,
  { bumps, upsells, active, ...columns }: ProductFields,
  version?: string,
): Promise<void> {
  await orSlugConflict(
    db.transaction(async (tx) => {
      // Serializes saves of one product.
      const [lockedProduct] = await tx
        .select({ id: products.id, fileUrl: products.fileUrl })
        .from(products)
        .where(isOwnProduct(sellerId, productId))
        .for("update");
      if (!lockedProduct) throw productNotFound();
      if (version !== undefined)
        rejectStale(version, productVersion(await findProduct(sellerId, productId, tx)));
      const fields = { ...columns, bumps, upsells };
      await refusePictureLinks(fields, () => findProduct(sellerId, productId, tx));
      await requireOwnPictures(tx, sellerId, productPictureAddresses(fields));
      await tx
        .update(products)
        .set({
          ...columns,
          ...(active === undefined ? {} : { deactivatedAt: deactivatedAtOf(products, active) }),
          updatedAt: new Date(),
        })
        .where(isOwnProduct(sellerId, productId));
      if (!columns.fileUrl) await requireContent(tx, { sellerId, productId }, MISSING_LINK_TEXT);
      if (lockedProduct.fileUrl && !columns.fileUrl) await refuseLinkRemoval(tx, { sellerId, productId });
      if (bumps) await saveBumps(tx, { sellerId, productId }, bumps);
      if (upsells) await saveUpsells(tx, { sellerId, productId }, upsells);
      await notify(tx, "storefront", String(productId));
    }),
  );
}

/** Also of an inactive product: who bought it before keeps what it delivers. @throws Refusal invalid at `file_url` */
async function refuseLinkRemoval(tx: Tx, owner: { sellerId: string; productId: number }): Promise<void> {
  const emptyOffer = await findOfferWithoutContent(tx, owner, wasOrderedWithoutLink);
  if (emptyOffer)
    throw new Refusal(
      "invalid",
      `O conteúdo da oferta "${emptyOffer.name}" foi removido: sem o link, quem já comprou por ela ficaria sem nada.`,
      "file_url",
    );
  await refuseSoldWithoutContent(tx, owner.sellerId, "productId", [owner.productId], {
    advice: MISSING_SOLD_LINK_TEXT,
    fieldOf: () => "file_url",
  });
}

/** The version of a product's form. */
export function productVersion(product: OwnProduct): string {
  return toOwnProductJson(product).version;
}
