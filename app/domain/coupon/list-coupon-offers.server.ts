import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";

/** An offer that a coupon may be for, with what decides whether it is sold. Of an inactive product it is paused, too. */
export type CouponOffer = {
  id: string;
  name: string;
  slug: string | null;
  productId: number;
  productName: string;
} & Pick<
  typeof offers.$inferSelect,
  "deactivatedAt" | "startsAt" | "endsAt" | "units" | "maxUnits" | "minQuantity"
>;

/** A seller's offers by product: all of them, or those of `ids`. */
export async function listCouponOffers(
  sellerId: string,
  ids?: string[],
  tx: Db = db,
): Promise<CouponOffer[]> {
  if (ids?.length === 0) return [];
  const rows = await tx
    .select({
      offer: offers,
      productName: products.name,
      productDeactivatedAt: products.deactivatedAt,
    })
    .from(offers)
    .innerJoin(products, ownById(products, offers.sellerId, offers.productId))
    .where(and(eq(offers.sellerId, sellerId), isNull(offers.archivedAt), ids && inArray(offers.id, ids)))
    .orderBy(asc(products.name), asc(products.id), asc(offers.position), asc(offers.createdAt));
  return rows.map(({ offer, productName, productDeactivatedAt }) => ({
    ...offer,
    productName,
    deactivatedAt: offer.deactivatedAt ?? productDeactivatedAt,
  }));
}

/**
 * A coupon's offers are its seller's, and of its products. `known` may stay in the list although they were deleted.
 * @throws Refusal not-found; invalid at `offer_ids` where one is of another product
 */
export async function requireOwnOffers(
  tx: Db,
  sellerId: string,
  { offerIds, productIds }: { offerIds: string[] | null; productIds: number[] | null },
  known: string[] | null = null,
): Promise<void> {
  const rows = await listCouponOffers(sellerId, offerIds ?? [], tx);
  const found = new Set(rows.map(({ id }) => id));
  if (offerIds?.some((id) => !found.has(id) && !known?.includes(id))) throw notFound("Oferta não encontrada");
  if (productIds && rows.some(({ productId }) => !productIds.includes(productId)))
    throw new Refusal("invalid", "Escolha só ofertas dos produtos do cupom", "offer_ids");
}
