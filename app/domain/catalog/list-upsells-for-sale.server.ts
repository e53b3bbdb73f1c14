import { and, asc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products, upsells } from "#app/db/schema/products.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { isForSaleSql } from "#app/domain/catalog/find-for-sale.server.ts";
import { productNotFound } from "#app/domain/catalog/parse-product-id.ts";

/** The public data of an upsell, without its file address. Money in cents. */
export type UpsellForSale = {
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
 * A product's active upsells in the seller's order.
 * @throws Refusal not-found for a product that is not for sale: upsells of one before its launch are nobody's business
 */
export async function listUpsellsForSale(productId: number): Promise<UpsellForSale[]> {
  const [product] = await db
    .select({ sellerId: products.sellerId })
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .where(isForSaleSql({ id: productId }));
  if (!product) throw productNotFound();
  return db
    .select({
      id: upsells.id,
      name: upsells.name,
      description: upsells.description,
      priceCents: upsells.priceCents,
      originalPriceCents: upsells.originalPriceCents,
      discountPercentage: upsells.discountPercentage,
      imageUrl: upsells.imageUrl,
      videoUrl: upsells.videoUrl,
      benefits: upsells.benefits,
    })
    .from(upsells)
    .where(
      and(
        eq(upsells.sellerId, product.sellerId),
        eq(upsells.productId, productId),
        isNull(upsells.deactivatedAt),
      ),
    )
    .orderBy(asc(upsells.position), asc(upsells.id));
}
