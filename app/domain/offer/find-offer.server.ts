import { and, eq, isNotNull, isNull, type SQL } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { notFound, type Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** An offer for its seller that was not deleted. Money in cents. */
export type OwnOffer = typeof offers.$inferSelect;

/** Where an offer is: its seller and the product in the address. */
export type OfferOwner = { sellerId: string; productId: number };

/** The refusal for an offer that does not exist, was deleted, or is another product's or somebody else's. */
export function offerNotFound(): Refusal {
  return notFound("Oferta não encontrada");
}

/** The condition for a product's offers, without deleted ones. */
export function areOwnOffers({ sellerId, productId }: OfferOwner): SQL | undefined {
  return and(eq(offers.sellerId, sellerId), eq(offers.productId, productId), isNull(offers.archivedAt));
}

/** The condition for a product's offer with this id, unless it was deleted. @throws Refusal not-found if it is no id */
export function isOwnOffer(owner: OfferOwner, offerId: string): SQL | undefined {
  if (!isUuid(offerId)) throw offerNotFound();
  return and(eq(offers.id, offerId), areOwnOffers(owner));
}

/** An offer of a seller's product. @throws Refusal not-found */
export async function findOffer(owner: OfferOwner, offerId: string, tx: Db = db): Promise<OwnOffer> {
  const [offer] = await tx.select().from(offers).where(isOwnOffer(owner, offerId));
  if (!offer) throw offerNotFound();
  return offer;
}

/** Whether buyers of an offer of a product, deleted or not, get chosen items of its content only, and no future ones. */
export async function hasOfferOfChosenContent({ sellerId, productId }: OfferOwner): Promise<boolean> {
  const found = await db
    .select({ id: offers.id })
    .from(offers)
    .where(
      and(
        ...[eq(offers.sellerId, sellerId), eq(offers.productId, productId)],
        isNotNull(offers.contentItemIds),
      ),
    )
    .limit(1);
  return found.length > 0;
}
