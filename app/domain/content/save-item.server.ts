import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { contentItems, files } from "#app/db/schema/files.server.ts";
import { type ContentOwner, lockOwnContent } from "#app/domain/content/lock-own-content.server.ts";
import { lockOwnItem } from "#app/domain/content/lock-own-item.server.ts";
import { readLockedItem } from "#app/domain/content/read-locked-item.server.ts";
import { refuseFullContent } from "#app/domain/content/refuse-full-content.server.ts";
import { refuseUnstampable } from "#app/domain/stamped-copy/schedule-trial-stamp.server.ts";
import { unstampableReason } from "#app/domain/stamped-copy/stamp-failure-texts.ts";
import { Refusal } from "#app/kit/refusal.ts";

type NewItem = { name: string } & ({ kind: "link"; url: string } | { kind: "text"; html: string });

/** Adds a link or a text to the end of a content. @throws Refusal not-found; conflict where there are too many */
export async function addItem(
  sellerId: string,
  productId: number,
  owner: ContentOwner,
  item: NewItem,
): Promise<string> {
  return db.transaction(async (tx) => {
    const contentId = await lockOwnContent(tx, sellerId, productId, owner);
    await refuseFullContent(tx, contentId);
    const position = sql<number>`(select coalesce(max(position), 0) + 1 from content_items where content_id = ${contentId})`;
    const [row] = await tx
      .insert(contentItems)
      .values({ ...item, sellerId, contentId, position })
      .returning({ id: contentItems.id });
    return row!.id;
  });
}

/**
 * Changes the name, address or text of a seller's item; `stamp` switches the stamp of a file's PDF.
 * @throws Refusal not-found; invalid, at `stamp`, where the PDF cannot be stamped; conflict, with the code `stale`, where
 * it was changed since `version`
 */
export async function changeItem(
  sellerId: string,
  itemId: string,
  kind: "file" | "link" | "text",
  { stamp, ...fields }: { name: string; url?: string; html?: string; stamp?: boolean },
  version?: string,
): Promise<void> {
  if (stamp) await requireStampable(sellerId, itemId);
  await db.transaction(async (tx) => {
    const item = await lockOwnItem(tx, sellerId, itemId);
    const current = await readLockedItem(tx, item.id, version);
    await tx
      .update(contentItems)
      .set({ ...fields, stampedSince: stampedSince(current), updatedAt: new Date() })
      .where(and(eq(contentItems.id, item.id), eq(contentItems.kind, kind)));
  });

  function stampedSince(current: { stampedSince: Date | null }): Date | null {
    if (stamp === undefined) return current.stampedSince;
    return stamp ? (current.stampedSince ?? new Date()) : null;
  }
}

/** Refuses to switch on a stamp that would fail. One that is on already stays on when the item is renamed. */
async function requireStampable(sellerId: string, itemId: string): Promise<void> {
  const fileId = await db.transaction(async (tx) => {
    const { id } = await lockOwnItem(tx, sellerId, itemId);
    const [found] = await tx
      .select({ stampedSince: contentItems.stampedSince, file: files })
      .from(contentItems)
      .innerJoin(files, eq(files.id, contentItems.fileId))
      .where(eq(contentItems.id, id));
    if (found?.stampedSince) return null;
    const stampProblem = unstampableReason(found?.file ?? null);
    if (stampProblem) throw new Refusal("invalid", stampProblem, "stamp");
    return found!.file.id;
  });
  if (fileId) await refuseUnstampable(sellerId, fileId);
}
