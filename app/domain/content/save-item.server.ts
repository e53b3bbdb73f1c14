import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { contentItems } from "#app/db/schema/files.server.ts";
import { refuseStale } from "#app/db/version.server.ts";
import { MOST_ITEMS } from "#app/domain/content/limits.ts";
import { ownContent } from "#app/domain/content/own-content.server.ts";
import { noItem, ownItem } from "#app/domain/content/own-item.server.ts";
import type { Owner } from "#app/domain/content/owner.ts";
import { itemVersion } from "#app/domain/content/version.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

type New = { name: string } & ({ kind: "link"; url: string } | { kind: "text"; html: string });

/** Adds a link or a text to the end of a content. @throws Refusal not-found; conflict where there are too many */
export async function addItem(sellerId: string, productId: number, owner: Owner, item: New): Promise<string> {
  return db.transaction(async (tx) => {
    const contentId = await ownContent(tx, sellerId, productId, owner);
    const many = await tx.$count(contentItems, eq(contentItems.contentId, contentId));
    if (many >= MOST_ITEMS) throw new Refusal("conflict", `No máximo ${MOST_ITEMS} itens`);
    const position = sql<number>`(select coalesce(max(position), 0) + 1 from content_items where content_id = ${contentId})`;
    const [row] = await tx
      .insert(contentItems)
      .values({ ...item, contentId, position })
      .returning({ id: contentItems.id });
    return row!.id;
  });
}

/**
 * Gives an item of a seller's another name, address or text.
 * @throws Refusal not-found; conflict, with the code `stale`, where somebody else did since `version` was shown
 */
export async function changeItem(
  sellerId: string,
  itemId: string,
  kind: "file" | "link" | "text",
  fields: { name: string; url?: string; html?: string },
  version?: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const item = await ownItem(tx, sellerId, itemId);
    const [stands] = await tx.select().from(contentItems).where(eq(contentItems.id, item.id));
    if (!stands) throw noItem();
    refuseStale(version, itemVersion(stands));
    await tx
      .update(contentItems)
      .set({ ...fields, updatedAt: new Date() })
      .where(and(eq(contentItems.id, item.id), eq(contentItems.kind, kind)));
  });
}
