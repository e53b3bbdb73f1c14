import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { databaseTime } from "#app/db/columns.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { isOwnProduct } from "#app/domain/catalog/is-own-product.server.ts";
import { toOffer } from "#app/domain/catalog/offers-for-sale.server.ts";
import { productNotFound } from "#app/domain/catalog/parse-product-id.ts";
import type { OfferOwner, OwnOffer } from "#app/domain/offer/find-offer.server.ts";
import { chooseOffer } from "#app/domain/pricing/offer.ts";

/**
 * A product with its own price in cents, and its offers in the seller's order. `readAt`: the database's clock when they were read,
 * in Unix ms.
 */
export type OfferList = {
  product: {
    id: number;
    name: string;
    priceCents: number;
    checkoutSlug: string | null;
    active: boolean;
    readAt: number;
  };
  offers: OwnOffer[];
};

/** All offers of a seller's product: there are at most `MAX_OFFERS`. @throws Refusal not-found */
export async function listOffers({ sellerId, productId }: OfferOwner): Promise<OfferList> {
  const rows = await db
    .select({
      product: {
        id: products.id,
        name: products.name,
        priceCents: products.priceCents,
        checkoutSlug: products.checkoutSlug,
        active: sql<boolean>`${products.deactivatedAt} is null`,
        readAt: databaseTime,
      },
      offer: offers,
    })
    .from(products)
    .leftJoin(
      offers,
      and(
        eq(offers.sellerId, products.sellerId),
        eq(offers.productId, products.id),
        isNull(offers.archivedAt),
      ),
    )
    .where(isOwnProduct(sellerId, productId))
    .orderBy(asc(offers.position), asc(offers.createdAt), asc(offers.id));
  const [first] = rows;
  if (!first) throw productNotFound();
  return { product: first.product, offers: rows.flatMap(({ offer }) => offer ?? []) };
}

/** The price tier that the product's own address charges at a moment; null where the product's price counts. */
export function findOpenTier(offerRows: OwnOffer[], now = new Date()): OwnOffer | null {
  const open = chooseOffer(offerRows.map(toOffer), null, null, now.getTime());
  return offerRows.find(({ id }) => id === open?.id) ?? null;
}
