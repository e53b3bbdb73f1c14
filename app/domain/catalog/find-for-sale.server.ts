import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";
import { checkoutSlugs } from "#app/db/schema/offers.server.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { saleLines } from "#app/db/schema/sales.server.ts";
import { sellerNameSql, sellers } from "#app/db/schema/sellers.server.ts";
import { isOwnProduct } from "#app/domain/catalog/is-own-product.server.ts";
import {
  applyOffers,
  type OfferRows,
  type OffersForSale,
  offersColumn,
} from "#app/domain/catalog/offers-for-sale.server.ts";
import { productNotFound } from "#app/domain/catalog/parse-product-id.ts";
import type { SeenOffer } from "#app/domain/pricing/offer.ts";

/** A reference to a product: its id with the slug of one of its offers, or one slug, of the product or of an offer. */
export type ProductRef = { id: number; offer?: string | undefined } | { slug: string };

/** The public data of a product at the price that counts there, without file addresses. Money in cents. */
export type ProductForSale = OffersForSale & {
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
  /** Whether a coupon is, or will be, valid for it: buyers get a field for its code. */
  hasCoupons: boolean;
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

/** The columns of a product with its active order bumps, for a query on products and sellers. */
const productColumns = {
  id: products.id,
  sellerId: products.sellerId,
  sellerName: sellerNameSql,
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
    from ${orderBumps} b where b.seller_id = ${products.sellerId} and b.product_id = ${products.id} and b.deactivated_at is null)`,
  hasCoupons: sql<boolean>`exists (select from ${coupons} c where c.seller_id = ${products.sellerId}
    and c.archived_at is null and c.deactivated_at is null and coalesce(c.ends_at > now(), true)
    and coalesce(${products.id} = any(c.product_ids), true))`,
};

/** Lower case; null where the reference has none. */
const slugOf = (ref: ProductRef): string | null =>
  ("id" in ref ? ref.offer : ref.slug)?.toLowerCase() || null;

type ProductRow = Omit<ProductForSale, keyof OffersForSale> & { offerRows: OfferRows };

/** For a query on products and sellers: the columns of which `toProductForSale` makes the referenced product. */
export function productColumnsOf(ref: ProductRef) {
  return { ...productColumns, offerRows: offersColumn(slugOf(ref)) };
}

/** A product from the columns of `productColumnsOf`; `seen` of an order. */
export function toProductForSale(
  { offerRows, ...product }: ProductRow,
  seen: SeenOffer | null = null,
): ProductForSale {
  const forSale = applyOffers(product, offerRows, seen);
  // Of an order that costs nothing, whatever is chosen, none takes anything off.
  const mayCost = forSale.priceCents > 0 || forSale.bumps.length > 0;
  return { ...forSale, hasCoupons: forSale.hasCoupons && mayCost };
}

/** For a query on products and sellers: the referenced product, where it is active and its shop is open. */
export function isForSaleSql(ref: ProductRef): SQL | undefined {
  const slug = slugOf(ref);
  const matchesRef = and(
    "id" in ref ? eq(products.id, ref.id) : undefined,
    slug === null
      ? undefined
      : sql`(${products.sellerId}, ${products.id}) = (select seller_id, product_id from ${checkoutSlugs}
          where slug = ${slug} ${"id" in ref ? sql`and offer_id is not null` : sql``})`,
  );
  return and(
    matchesRef,
    isNull(products.deactivatedAt),
    isNull(products.archivedAt),
    isNull(sellers.closedAt),
  );
}

/**
 * Whether the subject of an unpaid order `s` is still for sale. A product must be active; an upsell must be active itself, while
 * its product may be inactive but not deleted.
 * @param s the name of the table of sales in the statement
 */
export function isOrderForSale(s: SQL): SQL<boolean> {
  return sql<boolean>`exists (select from ${products} p
    inner join ${sellers} v on v.id = p.seller_id and v.closed_at is null where p.id = ${s}.product_id and p.archived_at is null
      and case when ${s}.parent_sale_id is null then p.deactivated_at is null
        else exists (select from ${saleLines} l inner join ${upsells} o on o.id = l.upsell_id
          where l.seller_id = ${s}.seller_id and l.sale_id = ${s}.id and o.deactivated_at is null) end)`;
}

/**
 * Whether an order `s` contains a bump that is paused or was removed.
 * @param s the name of the table of sales in the statement
 */
export function isOrderBumpGone(s: SQL): SQL<boolean> {
  return sql<boolean>`exists (select from ${saleLines} l where l.seller_id = ${s}.seller_id and l.sale_id = ${s}.id and l.kind = 'bump'
    and not exists (select from ${orderBumps} b where b.id = l.order_bump_id and b.deactivated_at is null))`;
}

/**
 * Whether the purchase before an order `s` was returned or is disputed, or its buyer asked for its money: its upsell is sold no
 * longer.
 * @param s the name of the table of sales in the statement
 */
export function isOrderParentOver(s: SQL): SQL<boolean> {
  return sql<boolean>`exists (
    select from sales p where p.seller_id = ${s}.seller_id and p.id = ${s}.parent_sale_id and (p.status <> 'completed'
      or exists (select from refund_requests r where r.seller_id = p.seller_id and r.sale_id = p.id and r.answer is distinct from 'declined')))`;
}

/** An active product with its active order bumps; null where there is none, or its shop is closed. */
export async function findForSale(ref: ProductRef): Promise<ProductForSale | null> {
  const found = await findProductWhere(ref, isForSaleSql(ref)!);
  return found?.product ?? null;
}

/**
 * A seller's own product as a buyer would see it, at its own address or at an offer's, and whether it is active.
 * @param offer the slug of one of its offers
 * @throws Refusal not-found
 */
export async function loadForPreview(
  sellerId: string,
  productId: number,
  offer?: string,
): Promise<{ product: ProductForSale; active: boolean }> {
  const found = await findProductWhere({ id: productId, offer }, isOwnProduct(sellerId, productId)!);
  if (!found) throw productNotFound();
  return found;
}

async function findProductWhere(
  ref: ProductRef,
  where: SQL,
): Promise<{ product: ProductForSale; active: boolean } | null> {
  const [row] = await db
    .select({
      active: sql<boolean>`${products.deactivatedAt} is null`,
      ...productColumnsOf(ref),
    })
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .where(where);
  if (!row) return null;
  const { active, ...product } = row;
  return { product: toProductForSale(product), active };
}

/** The route params of a checkout. */
export type CheckoutParams = { productId?: string; slug?: string };

/** The reference in a checkout's route params: `{productId}` or `{slug}`; null where it is neither. */
export function readProductRef(params: CheckoutParams): ProductRef | null {
  if (params.slug) return { slug: params.slug };
  return /^\d{1,15}$/.test(params.productId ?? "") ? { id: Number(params.productId) } : null;
}
