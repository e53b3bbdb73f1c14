import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { orderBumps, products } from "#app/db/schema/products.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** How a buyer names a product: by the number in the address or by its slug. */
export type ProductRef = { id: number } | { slug: string };

/** A product as anyone may see it. No file address. Money in cents. */
export type ProductForSale = {
  id: number;
  sellerId: string;
  sellerName: string;
  name: string;
  description: string | null;
  priceCents: number;
  originalPriceCents: number | null;
  discountPercentage: number | null;
  imageUrl: string | null;
  promotionText: string | null;
  urgencyText: string | null;
  bannerImageUrl: string | null;
  bannerLinkUrl: string | null;
  checkoutSlug: string | null;
  bumps: BumpForSale[];
};

export type BumpForSale = {
  id: number;
  name: string;
  description: string | null;
  priceCents: number;
  originalPriceCents: number | null;
  discountPercentage: number | null;
  promotionText: string | null;
  urgencyText: string | null;
  imageUrl: string | null;
};

/** An active product with its active order bumps, or null. Two statements. */
export async function findForSale(ref: ProductRef, tx: Db = db): Promise<ProductForSale | null> {
  const [product] = await tx
    .select({
      id: products.id,
      sellerId: products.sellerId,
      sellerName: sql<string>`coalesce(nullif(${sellers.company}, ''), ${sellers.name})`,
      name: products.name,
      description: products.description,
      priceCents: products.priceCents,
      originalPriceCents: products.originalPriceCents,
      discountPercentage: products.discountPercentage,
      imageUrl: products.imageUrl,
      promotionText: products.promotionText,
      urgencyText: products.urgencyText,
      bannerImageUrl: products.bannerImageUrl,
      bannerLinkUrl: products.bannerLinkUrl,
      checkoutSlug: products.checkoutSlug,
    })
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .where(
      and(
        "id" in ref
          ? eq(products.id, ref.id)
          : eq(sql`lower(${products.checkoutSlug})`, ref.slug.toLowerCase()),
        isNull(products.deactivatedAt),
        isNull(products.archivedAt),
      ),
    );
  if (!product) return null;
  const bumps = await tx
    .select({
      id: orderBumps.id,
      name: orderBumps.name,
      description: orderBumps.description,
      priceCents: orderBumps.priceCents,
      originalPriceCents: orderBumps.originalPriceCents,
      discountPercentage: orderBumps.discountPercentage,
      promotionText: orderBumps.promotionText,
      urgencyText: orderBumps.urgencyText,
      imageUrl: orderBumps.imageUrl,
    })
    .from(orderBumps)
    .where(and(eq(orderBumps.productId, product.id), isNull(orderBumps.deactivatedAt)))
    .orderBy(asc(orderBumps.position), asc(orderBumps.id));
  return { ...product, bumps };
}

/** The reference in a checkout's route params: `{productId}` or `{slug}`; null where it is neither. */
export function productRef(params: { productId?: string; slug?: string }): ProductRef | null {
  if (params.slug) return { slug: params.slug };
  return /^\d{1,15}$/.test(params.productId ?? "") ? { id: Number(params.productId) } : null;
}
