import { and, asc, eq, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { anyOf } from "#app/db/conditions.server.ts";
import { contentItems } from "#app/db/schema/files.server.ts";
import { rejectStale } from "#app/db/version.server.ts";
import { type ContentOwner, lockOwnContent } from "#app/domain/content/lock-own-content.server.ts";
import { lockOwnItem } from "#app/domain/content/lock-own-item.server.ts";
import { orderVersion } from "#app/domain/content/version.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Moves an item up or down by one; at the end of the list it stays.
 * @throws Refusal not-found; conflict, with the code `stale`, where the order differs from `version`
 */
export async function moveItem(
  sellerId: string,
  itemId: string,
  step: -1 | 1,
  version?: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { contentId } = await lockOwnItem(tx, sellerId, itemId);
    const ids = await readOrder(tx, contentId, version);
    const at = ids.indexOf(itemId);
    if (ids[at + step] === undefined) return;
    [ids[at], ids[at + step]] = [ids[at + step]!, ids[at]!];
    await savePositions(tx, contentId, ids);
  });
}

/**
 * Puts all items of a content in an order.
 * @throws Refusal not-found; invalid where `ids` are not those of the content, each once; conflict (`stale`) as above
 */
export async function orderItems(
  sellerId: string,
  { productId, owner }: { productId: number; owner: ContentOwner },
  ids: string[],
  version?: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const contentId = await lockOwnContent(tx, sellerId, productId, owner);
    const currentIds = await readOrder(tx, contentId, version);
    if (ids.length !== currentIds.length || !currentIds.every((id) => ids.includes(id)))
      throw new Refusal("invalid", "Diga todos os itens do conteúdo, cada um uma vez", "items");
    await savePositions(tx, contentId, ids);
  });
}

async function readOrder(tx: Tx, contentId: string, version?: string): Promise<string[]> {
  const rows = await tx
    .select({ id: contentItems.id })
    .from(contentItems)
    .where(eq(contentItems.contentId, contentId))
    .orderBy(asc(contentItems.position), asc(contentItems.createdAt), asc(contentItems.id));
  rejectStale(version, orderVersion(rows));
  return rows.map(({ id }) => id);
}

async function savePositions(tx: Tx, contentId: string, ids: string[]): Promise<void> {
  await tx
    .update(contentItems)
    .set({ position: sql`array_position(${`{${ids.join(",")}}`}::uuid[], ${contentItems.id})` })
    .where(and(eq(contentItems.contentId, contentId), anyOf(contentItems.id, ids)));
}
