import { and, asc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products, upsellOffers } from "#app/db/schema/products.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { offerShowings } from "#app/db/schema/storefront.server.ts";
import { MINUTE } from "#app/kit/duration.ts";

/** How long an offer stands once its buyer has seen it. Source: spec §9, offer expiry. */
export const OFFER_LIFETIME = 10 * MINUTE;

/** An offer as shown to the buyer of one sale. Money in cents; `number` of `count`, from 1. */
export type ShownOffer = {
  id: number;
  name: string;
  description: string | null;
  priceCents: number;
  originalPriceCents: number | null;
  imageUrl: string | null;
  videoUrl: string | null;
  benefits: string[];
  number: number;
  count: number;
  expiresAt: Date;
};

/**
 * The first offer of a paid sale's product that was neither answered nor has run out, null after the last. Being shown for
 * the first time starts its time.
 */
export async function nextOffer(sale: { saleId: string; productId: number }): Promise<ShownOffer | null> {
  const now = new Date();
  const offers = await db
    .select({
      id: upsellOffers.id,
      sellerId: upsellOffers.sellerId,
      name: upsellOffers.name,
      description: upsellOffers.description,
      priceCents: upsellOffers.priceCents,
      originalPriceCents: upsellOffers.originalPriceCents,
      imageUrl: upsellOffers.imageUrl,
      videoUrl: upsellOffers.videoUrl,
      benefits: upsellOffers.benefits,
      answer: offerShowings.answer,
      expiresAt: offerShowings.expiresAt,
    })
    .from(upsellOffers)
    .innerJoin(products, and(eq(products.id, upsellOffers.productId), isNull(products.archivedAt)))
    .innerJoin(sellers, and(eq(sellers.id, products.sellerId), isNull(sellers.closedAt)))
    .leftJoin(
      offerShowings,
      and(eq(offerShowings.offerId, upsellOffers.id), eq(offerShowings.saleId, sale.saleId)),
    )
    .where(and(eq(upsellOffers.productId, sale.productId), isNull(upsellOffers.deactivatedAt)))
    .orderBy(asc(upsellOffers.position), asc(upsellOffers.id));
  const at = offers.findIndex((o) => o.answer === null && (o.expiresAt === null || o.expiresAt > now));
  const found = offers[at];
  if (!found) return null;
  const { answer: _, expiresAt: running, sellerId, ...offer } = found;
  const expiresAt =
    running ?? (await startShowing({ saleId: sale.saleId, sellerId, offerId: offer.id }, now));
  return { ...offer, number: at + 1, count: offers.length, expiresAt };
}

/** Two tabs at once start one clock. */
async function startShowing(
  showing: { saleId: string; sellerId: string; offerId: number },
  now: Date,
): Promise<Date> {
  const [row] = await db
    .insert(offerShowings)
    .values({ ...showing, expiresAt: new Date(now.getTime() + OFFER_LIFETIME) })
    .onConflictDoUpdate({
      target: [offerShowings.saleId, offerShowings.offerId],
      set: { saleId: showing.saleId },
    })
    .returning({ expiresAt: offerShowings.expiresAt });
  return row!.expiresAt;
}
