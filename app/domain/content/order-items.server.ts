import { asc, eq, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { contentItems } from "#app/db/schema/files.server.ts";
import { refuseStale } from "#app/db/version.server.ts";
import { ownContent } from "#app/domain/content/own-content.server.ts";
import { ownItem } from "#app/domain/content/own-item.server.ts";
import type { Owner } from "#app/domain/content/owner.ts";
import { orderVersion } from "#app/domain/content/version.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Moves an item one place up or down; at the end it stays where it is.
 * @throws Refusal not-found; conflict, with the code `stale`, where the items stand otherwise than in `version`
 */
export async function moveItem(
  sellerId: string,
  itemId: string,
  by: -1 | 1,
  version?: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { contentId } = await ownItem(tx, sellerId, itemId);
    const ids = await inOrder(tx, contentId, version);
    const at = ids.indexOf(itemId);
    if (ids[at + by] === undefined) return;
    [ids[at], ids[at + by]] = [ids[at + by]!, ids[at]!];
    await place(tx, contentId, ids);
  });
}

/**
 * Puts all items of a content in an order.
 * @throws Refusal not-found; invalid where `ids` are not those of the content, each once; conflict (`stale`) as above
 */
export async function orderItems(
  sellerId: string,
  { productId, owner }: { productId: number; owner: Owner },
  ids: string[],
  version?: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const contentId = await ownContent(tx, sellerId, productId, owner);
    const stand = await inOrder(tx, contentId, version);
    if (ids.length !== stand.length || !stand.every((id) => ids.includes(id)))
      throw new Refusal("invalid", "Diga todos os itens do conteúdo, cada um uma vez", "items");
    await place(tx, contentId, ids);
  });
}

async function inOrder(tx: Tx, contentId: string, version?: string): Promise<string[]> {
  const rows = await tx
    .select({ id: contentItems.id })
    .from(contentItems)
    .where(eq(contentItems.contentId, contentId))
    .orderBy(asc(contentItems.position), asc(contentItems.createdAt), asc(contentItems.id));
  refuseStale(version, orderVersion(rows));
  return rows.map(({ id }) => id);
}

async function place(tx: Tx, contentId: string, ids: string[]): Promise<void> {
  await tx
    .update(contentItems)
    .set({ position: sql`array_position(${`{${ids.join(",")}}`}::uuid[], ${contentItems.id})` })
    .where(eq(contentItems.contentId, contentId));
}
