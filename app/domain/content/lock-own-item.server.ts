import { and, eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contentItems, contents } from "#app/db/schema/files.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

export const itemNotFound = () => notFound("Item não encontrado");

/** Finds a seller's item and locks its content, so that changes are serialized. @throws Refusal not-found */
export async function lockOwnItem(tx: Tx, sellerId: string, itemId: string) {
  if (!isUuid(itemId)) throw itemNotFound();
  const [found] = await tx
    .select({
      id: contentItems.id,
      contentId: contents.id,
      productId: contents.productId,
    })
    .from(contentItems)
    .innerJoin(contents, eq(contents.id, contentItems.contentId))
    .where(and(eq(contentItems.id, itemId), eq(contents.sellerId, sellerId)))
    .for("no key update", { of: contents });
  if (!found) throw itemNotFound();
  return found;
}
