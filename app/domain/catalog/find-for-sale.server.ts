import { and, eq, isNull, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import type { DestinationKind } from "#app/db/schema/lists.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
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
  /** Who is told of its sales to measure ads: their buyers are asked whether that may be. */
  advertisers: AdvertiserKind[];
};

type AdvertiserKind = Exclude<DestinationKind, "webhook">;

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

/** An active product with its active order bumps, or null. */
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
      bumps: sql<BumpForSale[]>`(
        select coalesce(json_agg(json_build_object('id', b.id, 'name', b.name, 'description', b.description,
          'priceCents', b.price_cents, 'originalPriceCents', b.original_price_cents,
          'discountPercentage', b.discount_percentage, 'promotionText', b.promotion_text,
          'urgencyText', b.urgency_text, 'imageUrl', b.image_url) order by b.position, b.id), '[]')
        from ${orderBumps} b where b.product_id = ${products.id} and b.deactivated_at is null)`,
      advertisers: sql<AdvertiserKind[]>`(
        select coalesce(json_agg(distinct d.kind), '[]') from ${destinations} d
        where d.seller_id = ${products.sellerId} and d.kind <> 'webhook' and d.stopped_at is null
          and (d.product_ids is null or ${products.id} = any(d.product_ids)))`,
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
  return product ?? null;
}

/** The reference in a checkout's route params: `{productId}` or `{slug}`; null where it is neither. */
export function productRef(params: { productId?: string; slug?: string }): ProductRef | null {
  if (params.slug) return { slug: params.slug };
  return /^\d{1,15}$/.test(params.productId ?? "") ? { id: Number(params.productId) } : null;
}
