import { eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { excluded } from "#app/db/excluded.server.ts";
import { upsellOffers } from "#app/db/schema/products.server.ts";
import { removeRows } from "#app/domain/catalog/content/remove-rows.server.ts";
import { diffRows } from "#app/domain/catalog/diff-rows.ts";
import type { OfferFields } from "#app/domain/catalog/offer-form.server.ts";

const CHANGED = [
  "position",
  "name",
  "description",
  "priceCents",
  "originalPriceCents",
  "discountPercentage",
  "imageUrl",
  "fileUrl",
  "videoUrl",
  "benefits",
  "deactivatedAt",
] as const;

/**
 * Makes a product's upsell offers what was sent, in that order. The caller holds the product's row, and it is the
 * seller's. @throws Refusal not-found for an id that is none of this product's offers
 */
export async function saveOffers(
  tx: Tx,
  { sellerId, productId }: { sellerId: string; productId: number },
  sent: OfferFields[],
): Promise<void> {
  const known = await tx
    .select({ id: upsellOffers.id })
    .from(upsellOffers)
    .where(eq(upsellOffers.productId, productId));
  const { changed, added, removed } = diffRows(
    known.map((row) => row.id),
    sent.map(({ active, ...row }) => ({
      ...row,
      sellerId,
      productId,
      deactivatedAt: active ? null : new Date(),
    })),
  );
  if (removed.length > 0) await removeRows(tx, "upsellOfferId", removed);
  if (changed.length > 0)
    await tx
      .insert(upsellOffers)
      .overridingSystemValue()
      .values(changed)
      .onConflictDoUpdate({ target: upsellOffers.id, set: excluded(CHANGED) });
  if (added.length > 0) await tx.insert(upsellOffers).values(added);
}
