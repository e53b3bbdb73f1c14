import { eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { excluded } from "#app/db/excluded.server.ts";
import { orderBumps } from "#app/db/schema/products.server.ts";
import type { BumpFields } from "#app/domain/catalog/bump-form.server.ts";
import { removeRows } from "#app/domain/catalog/content/remove-rows.server.ts";
import { diffRows } from "#app/domain/catalog/diff-rows.ts";

const CHANGED = [
  "position",
  "name",
  "description",
  "priceCents",
  "originalPriceCents",
  "discountPercentage",
  "imageUrl",
  "fileUrl",
  "promotionText",
  "urgencyText",
  "deactivatedAt",
] as const;

/**
 * Makes a product's order bumps what was sent, in that order. The caller holds the product's row, and it is the seller's.
 * @throws Refusal not-found for an id that is none of this product's bumps
 */
export async function saveBumps(
  tx: Tx,
  { sellerId, productId }: { sellerId: string; productId: number },
  sent: BumpFields[],
): Promise<void> {
  const known = await tx
    .select({ id: orderBumps.id })
    .from(orderBumps)
    .where(eq(orderBumps.productId, productId));
  const { changed, added, removed } = diffRows(
    known.map((row) => row.id),
    sent.map(({ active, ...row }) => ({
      ...row,
      sellerId,
      productId,
      deactivatedAt: active ? null : new Date(),
    })),
  );
  if (removed.length > 0) await removeRows(tx, "orderBumpId", removed);
  if (changed.length > 0)
    await tx
      .insert(orderBumps)
      .overridingSystemValue()
      .values(changed)
      .onConflictDoUpdate({ target: orderBumps.id, set: excluded(CHANGED) });
  if (added.length > 0) await tx.insert(orderBumps).values(added);
}
