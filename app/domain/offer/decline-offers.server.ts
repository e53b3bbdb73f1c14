import { and, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { upsellOffers } from "#app/db/schema/products.server.ts";
import { offerShowings } from "#app/db/schema/storefront.server.ts";

/** Notes a no to one offer, or with `offerId` null to all that are left; what was answered before stays. */
export async function declineOffers(
  sale: { saleId: string; productId: number },
  offerId: number | null,
): Promise<void> {
  const now = new Date();
  const offers = await db
    .select({ offerId: upsellOffers.id, sellerId: upsellOffers.sellerId })
    .from(upsellOffers)
    .where(
      and(
        eq(upsellOffers.productId, sale.productId),
        isNull(upsellOffers.deactivatedAt),
        offerId === null ? undefined : eq(upsellOffers.id, offerId),
      ),
    );
  if (offers.length === 0) return;
  const no = { answer: "declined" as const, answeredAt: now };
  await db
    .insert(offerShowings)
    .values(offers.map((offer) => ({ saleId: sale.saleId, ...offer, expiresAt: now, ...no })))
    .onConflictDoUpdate({
      target: [offerShowings.saleId, offerShowings.offerId],
      set: no,
      setWhere: sql`${offerShowings.answer} is null`,
    });
}
