import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { contentItems, files } from "#app/db/schema/files.server.ts";
import { refuseStale } from "#app/db/version.server.ts";
import { MOST_ITEMS } from "#app/domain/content/limits.ts";
import { ownContent } from "#app/domain/content/own-content.server.ts";
import { noItem, ownItem } from "#app/domain/content/own-item.server.ts";
import type { Owner } from "#app/domain/content/owner.ts";
import { itemVersion } from "#app/domain/content/version.server.ts";
import { refuseUnstampable } from "#app/domain/stamp/try-stamp.server.ts";
import { neverStamped } from "#app/domain/stamp/why-unstamped.ts";
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
      .values({ ...item, sellerId, contentId, position })
      .returning({ id: contentItems.id });
    return row!.id;
  });
}

/**
 * Gives an item of a seller's another name, address or text; `stamp` switches the stamp of a file's PDF.
 * @throws Refusal not-found; invalid, at `stamp`, where the PDF cannot be stamped; conflict, with the code `stale`, where somebody else did since `version` was shown
 */
export async function changeItem(
  sellerId: string,
  itemId: string,
  kind: "file" | "link" | "text",
  { stamp, ...fields }: { name: string; url?: string; html?: string; stamp?: boolean },
  version?: string,
): Promise<void> {
  if (stamp) await refuseUnstamped(sellerId, itemId);
  await db.transaction(async (tx) => {
    const item = await ownItem(tx, sellerId, itemId);
    const [stands] = await tx.select().from(contentItems).where(eq(contentItems.id, item.id));
    if (!stands) throw noItem();
    refuseStale(version, itemVersion({ ...stands, stamp: { on: stands.stampedSince !== null } }));
    await tx
      .update(contentItems)
      .set({ ...fields, stampedSince: stampedSince(stands), updatedAt: new Date() })
      .where(and(eq(contentItems.id, item.id), eq(contentItems.kind, kind)));
  });

  function stampedSince(stands: { stampedSince: Date | null }): Date | null {
    if (stamp === undefined) return stands.stampedSince;
    return stamp ? (stands.stampedSince ?? new Date()) : null;
  }
}

/** Nobody switches on what cannot be done. What is on already stays so, with another name. */
async function refuseUnstamped(sellerId: string, itemId: string): Promise<void> {
  const fileId = await db.transaction(async (tx) => {
    const { id } = await ownItem(tx, sellerId, itemId);
    const [found] = await tx
      .select({ since: contentItems.stampedSince, file: files })
      .from(contentItems)
      .innerJoin(files, eq(files.id, contentItems.fileId))
      .where(eq(contentItems.id, id));
    if (found?.since) return null;
    const never = neverStamped(found?.file ?? null);
    if (never) throw new Refusal("invalid", never, "stamp");
    return found!.file.id;
  });
  if (fileId) await refuseUnstampable(sellerId, fileId);
}
