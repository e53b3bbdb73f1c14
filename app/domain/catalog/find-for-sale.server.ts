import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { PIXEL_KINDS, type PixelKind } from "#app/db/schema/lists.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
import { orderBumps, products } from "#app/db/schema/products.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { ownProduct } from "#app/domain/catalog/own-product.server.ts";
import { noProduct } from "#app/domain/catalog/product-id.ts";

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
  advertisers: PixelKind[];
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

/** What a query of products and their sellers reads of a product with its active order bumps. */
export const productColumns = {
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
  advertisers: sql<PixelKind[]>`(
    select coalesce(json_agg(distinct d.kind), '[]') from ${destinations} d
    where d.seller_id = ${products.sellerId} and d.kind = any(${`{${PIXEL_KINDS.join(",")}}`}::text[]) and d.stopped_at is null
      and (d.product_ids is null or ${products.id} = any(d.product_ids)))`,
};

/** For a statement of products and their sellers: the one that is meant, where it is active and its shop is open. */
export function isForSaleAs(ref: ProductRef): SQL | undefined {
  const named =
    "id" in ref ? eq(products.id, ref.id) : eq(sql`lower(${products.checkoutSlug})`, ref.slug.toLowerCase());
  return and(named, isNull(products.deactivatedAt), isNull(products.archivedAt), isNull(sellers.closedAt));
}

/** An active product with its active order bumps; null where there is none, or its shop is closed. */
export async function findForSale(ref: ProductRef): Promise<ProductForSale | null> {
  const found = await find(isForSaleAs(ref)!);
  return found?.product ?? null;
}

/** A seller's own product as it would be for sale, and whether it is. @throws Refusal not-found */
export async function findToPreview(
  sellerId: string,
  productId: number,
): Promise<{ product: ProductForSale; active: boolean }> {
  const found = await find(ownProduct(sellerId, productId)!);
  if (!found) throw noProduct();
  return found;
}

async function find(where: SQL): Promise<{ product: ProductForSale; active: boolean } | null> {
  const [row] = await db
    .select({
      active: sql<boolean>`${products.deactivatedAt} is null`,
      ...productColumns,
    })
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .where(where);
  if (!row) return null;
  const { active, ...product } = row;
  return { product, active };
}

/** The reference in a checkout's route params: `{productId}` or `{slug}`; null where it is neither. */
export function productRef(params: { productId?: string; slug?: string }): ProductRef | null {
  if (params.slug) return { slug: params.slug };
  return /^\d{1,15}$/.test(params.productId ?? "") ? { id: Number(params.productId) } : null;
}
