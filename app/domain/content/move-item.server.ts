import { asc, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { contentItems } from "#app/db/schema/files.server.ts";
import { refuseStale } from "#app/db/version.server.ts";
import { ownItem } from "#app/domain/content/own-item.server.ts";
import { orderVersion } from "#app/domain/content/version.server.ts";

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
    const rows = await tx
      .select({ id: contentItems.id })
      .from(contentItems)
      .where(eq(contentItems.contentId, contentId))
      .orderBy(asc(contentItems.position), asc(contentItems.createdAt), asc(contentItems.id));
    refuseStale(version, orderVersion(rows));
    const ids = rows.map(({ id }) => id);
    const at = ids.indexOf(itemId);
    if (ids[at + by] === undefined) return;
    [ids[at], ids[at + by]] = [ids[at + by]!, ids[at]!];
    await tx
      .update(contentItems)
      .set({ position: sql`array_position(${`{${ids.join(",")}}`}::uuid[], ${contentItems.id})` })
      .where(eq(contentItems.contentId, contentId));
  });
}
