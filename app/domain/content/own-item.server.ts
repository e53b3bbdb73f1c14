import { and, eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contentItems, contents } from "#app/db/schema/files.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

export const noItem = () => notFound("Item não encontrado");

/** An item of a seller's; its content is held, so that two changes go one after the other. @throws Refusal not-found */
export async function ownItem(tx: Tx, sellerId: string, itemId: string) {
  if (!isUuid(itemId)) throw noItem();
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
  if (!found) throw noItem();
  return found;
}
