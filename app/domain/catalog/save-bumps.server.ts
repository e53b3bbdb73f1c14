import { and, eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { excluded } from "#app/db/excluded.server.ts";
import { orderBumps } from "#app/db/schema/products.server.ts";
import type { BumpFields } from "#app/domain/catalog/bump-form.server.ts";
import {
  MISSING_SOLD_LINK_TEXT,
  refuseSoldWithoutContent,
  withoutFormerLink,
} from "#app/domain/catalog/content/refuse-sold-without-content.server.ts";
import { removeRows } from "#app/domain/catalog/content/remove-rows.server.ts";
import { diffRows, FIXED_COLUMNS } from "#app/domain/catalog/diff-rows.ts";

/**
 * Replaces a product's order bumps by the submitted list, in its order. The caller has locked the product's row and checked
 * its seller.
 * @throws Refusal not-found for an id that is not one of this product's bumps; invalid at the link of one whose buyers would be left
 * with nothing
 */
export async function saveBumps(
  tx: Tx,
  { sellerId, productId }: { sellerId: string; productId: number },
  submitted: BumpFields[],
): Promise<void> {
  const existing = await tx
    .select({ id: orderBumps.id, deactivatedAt: orderBumps.deactivatedAt, fileUrl: orderBumps.fileUrl })
    .from(orderBumps)
    .where(and(eq(orderBumps.sellerId, sellerId), eq(orderBumps.productId, productId)));
  const { changed, added, removed } = diffRows(
    existing,
    submitted.map((row) => ({ ...row, sellerId, productId })),
  );
  if (removed.length > 0) await removeRows(tx, sellerId, "orderBumpId", removed);
  if (changed.length > 0)
    await tx
      .insert(orderBumps)
      .overridingSystemValue()
      .values(changed)
      .onConflictDoUpdate({ target: orderBumps.id, set: excluded(orderBumps, { except: FIXED_COLUMNS }) });
  await refuseSoldWithoutContent(tx, sellerId, "orderBumpId", withoutFormerLink(existing, changed), {
    advice: MISSING_SOLD_LINK_TEXT,
    fieldOf: (id) => `orderBumps[${submitted.findIndex((row) => row.id === id)}].file_url`,
  });
  if (added.length > 0) await tx.insert(orderBumps).values(added);
}
