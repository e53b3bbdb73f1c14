import { and, eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { excluded } from "#app/db/excluded.server.ts";
import { upsells } from "#app/db/schema/products.server.ts";
import {
  MISSING_SOLD_LINK_TEXT,
  refuseSoldWithoutContent,
  withoutFormerLink,
} from "#app/domain/catalog/content/refuse-sold-without-content.server.ts";
import { removeRows } from "#app/domain/catalog/content/remove-rows.server.ts";
import { diffRows, FIXED_COLUMNS } from "#app/domain/catalog/diff-rows.ts";
import type { UpsellFields } from "#app/domain/catalog/upsell-form.server.ts";

/**
 * Replaces a product's upsells by the submitted list, in its order. The caller has locked the product's row and checked its
 * seller.
 * @throws Refusal not-found for an id that is not one of this product's upsells; invalid at the link of one whose buyers would be left
 * with nothing
 */
export async function saveUpsells(
  tx: Tx,
  { sellerId, productId }: { sellerId: string; productId: number },
  submitted: UpsellFields[],
): Promise<void> {
  const existing = await tx
    .select({ id: upsells.id, deactivatedAt: upsells.deactivatedAt, fileUrl: upsells.fileUrl })
    .from(upsells)
    .where(and(eq(upsells.sellerId, sellerId), eq(upsells.productId, productId)));
  const { changed, added, removed } = diffRows(
    existing,
    submitted.map((row) => ({ ...row, sellerId, productId })),
  );
  if (removed.length > 0) await removeRows(tx, sellerId, "upsellId", removed);
  if (changed.length > 0)
    await tx
      .insert(upsells)
      .overridingSystemValue()
      .values(changed)
      .onConflictDoUpdate({ target: upsells.id, set: excluded(upsells, { except: FIXED_COLUMNS }) });
  await refuseSoldWithoutContent(tx, sellerId, "upsellId", withoutFormerLink(existing, changed), {
    advice: MISSING_SOLD_LINK_TEXT,
    fieldOf: (id) => `upsells[${submitted.findIndex((row) => row.id === id)}].file_url`,
  });
  if (added.length > 0) await tx.insert(upsells).values(added);
}
