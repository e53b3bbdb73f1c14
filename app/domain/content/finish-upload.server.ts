import { and, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { contentItems, contents, files } from "#app/db/schema/files.server.ts";
import { type FileRow, unlessCancelled, uploadNotFound } from "#app/domain/content/upload.server.ts";
import { schedulePicture } from "#app/domain/picture/begin-picture.server.ts";
import { scheduleTrialStamp } from "#app/domain/stamped-copy/schedule-trial-stamp.server.ts";
import { unstampableReason } from "#app/domain/stamped-copy/stamp-failure-texts.ts";
import { SNIFFED_BYTES, sniffContentType } from "#app/platform/storage/sniff-content-type.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

/**
 * Completes an upload whose parts were all received, and adds its file to the content: from then on buyers have it.
 * Repeated or concurrent calls have no further effect. If it was cancelled meanwhile, its bytes are deleted.
 * @throws Refusal not-found where it was cancelled
 */
export async function finishUpload(file: FileRow): Promise<FileRow> {
  const { id, size, uploadRef, parts } = file;
  await unlessCancelled(id, storage.complete({ key: id, ref: uploadRef, size }, parts));
  const contentType = sniffContentType(await readHead(id, size));
  const finished = await db.transaction(async (tx) => {
    // Before file and items, as by whoever moves or removes items.
    if (file.contentId)
      await tx
        .select({ id: contents.id })
        .from(contents)
        .where(eq(contents.id, file.contentId))
        .for("no key update");
    const [ready] = await tx
      .update(files)
      .set({ readyAt: sql`now()`, touchedAt: sql`now()`, contentType })
      .where(and(eq(files.id, id), isNull(files.readyAt)))
      .returning();
    if (!ready) return (await tx.select().from(files).where(eq(files.id, id)))[0] ?? null;
    await schedulePicture(tx, id);
    const { contentId, replacesItemId } = ready;
    if (replacesItemId) {
      // The replaced file stays for downloads in progress: `cleanFiles` counts from here. A copy of the product may still lead
      // to it: where it stays missing, `reportMissingFile` notifies its seller again.
      await tx
        .update(files)
        .set({ touchedAt: sql`now()` })
        .where(
          sql`${files.id} = (select file_id from content_items where content_items.id = ${replacesItemId})`,
        );
      const [replaced] = await tx
        .update(contentItems)
        .set({ fileId: id, updatedAt: new Date() })
        .where(eq(contentItems.id, replacesItemId))
        .returning({ id: contentItems.id, stampedSince: contentItems.stampedSince });
      if (replaced?.stampedSince && unstampableReason(ready) === null)
        await scheduleTrialStamp(tx, ready.sellerId, id);
      if (replaced) return ready;
    }
    if (contentId)
      await tx.insert(contentItems).values({
        sellerId: ready.sellerId,
        contentId,
        kind: "file",
        name: ready.name,
        fileId: id,
        position: sql`(select coalesce(max(position), 0) + 1 from content_items where content_id = ${contentId})`,
      });
    return ready;
  });
  if (finished) return finished;
  await storage.remove(id);
  throw uploadNotFound();
}

async function readHead(key: string, size: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await storage.read(key, 0, Math.min(size, SNIFFED_BYTES) - 1)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
