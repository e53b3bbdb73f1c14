import { and, asc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products, upsellOffers } from "#app/db/schema/products.server.ts";
import { noProduct } from "#app/domain/catalog/product-id.ts";

/** An upsell offer as anyone may see it. No file address. Money in cents. */
export type OfferForSale = {
  id: number;
  name: string;
  description: string | null;
  priceCents: number;
  originalPriceCents: number | null;
  discountPercentage: number | null;
  imageUrl: string | null;
  videoUrl: string | null;
  benefits: string[];
};

/**
 * A product's active offers in the seller's order; those who bought it before it was taken off sale see them too.
 * @throws Refusal not-found for a product that does not exist
 */
export async function offersForSale(productId: number): Promise<OfferForSale[]> {
  const [product] = await db
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.id, productId), isNull(products.archivedAt)));
  if (!product) throw noProduct();
  return db
    .select({
      id: upsellOffers.id,
      name: upsellOffers.name,
      description: upsellOffers.description,
      priceCents: upsellOffers.priceCents,
      originalPriceCents: upsellOffers.originalPriceCents,
      discountPercentage: upsellOffers.discountPercentage,
      imageUrl: upsellOffers.imageUrl,
      videoUrl: upsellOffers.videoUrl,
      benefits: upsellOffers.benefits,
    })
    .from(upsellOffers)
    .where(and(eq(upsellOffers.productId, productId), isNull(upsellOffers.deactivatedAt)))
    .orderBy(asc(upsellOffers.position), asc(upsellOffers.id));
}
