import { and, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { contentItems, files } from "#app/db/schema/files.server.ts";
import { type FileRow, noUpload } from "#app/domain/content/find-upload.server.ts";
import { pictureCame } from "#app/domain/picture/picture-came.server.ts";
import { tryStamp } from "#app/domain/stamp/try-stamp.server.ts";
import { neverStamped } from "#app/domain/stamp/why-unstamped.ts";
import { contentTypeOf, LOOKED_AT } from "#app/platform/storage/content-type.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

/**
 * Makes a whole of an upload whose parts are all there, and gives it its place: from then on buyers have it. Done twice, or
 * by two at once, it is done once. Where it was cancelled meanwhile its bytes go, too.
 * @throws Refusal not-found where it was cancelled
 */
export async function finishUpload(file: FileRow): Promise<FileRow> {
  const { id, size, uploadRef, parts } = file;
  await storage.complete({ key: id, ref: uploadRef, size }, parts).catch(async (error) => {
    throw (await isCancelled(id)) ? noUpload() : error;
  });
  const contentType = contentTypeOf(await headOf(id, size));
  const done = await db.transaction(async (tx) => {
    const [ready] = await tx
      .update(files)
      .set({ readyAt: new Date(), touchedAt: new Date(), contentType })
      .where(and(eq(files.id, id), isNull(files.readyAt)))
      .returning();
    if (!ready) return (await tx.select().from(files).where(eq(files.id, id)))[0] ?? null;
    await pictureCame(tx, id);
    const { contentId, replacesItemId } = ready;
    if (replacesItemId) {
      // The file of before stays for who is downloading it: cleaning counts from here.
      await tx
        .update(files)
        .set({ touchedAt: new Date() })
        .where(
          sql`${files.id} = (select file_id from content_items where content_items.id = ${replacesItemId})`,
        );
      const [replaced] = await tx
        .update(contentItems)
        .set({ fileId: id, updatedAt: new Date() })
        .where(and(eq(contentItems.id, replacesItemId), eq(contentItems.kind, "file")))
        .returning({ id: contentItems.id, stampedSince: contentItems.stampedSince });
      if (replaced?.stampedSince && neverStamped(ready) === null) await tryStamp(tx, ready.sellerId, id);
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
  if (done) return done;
  await storage.remove(id);
  throw noUpload();
}

async function isCancelled(id: string): Promise<boolean> {
  const left = await db.select({ id: files.id }).from(files).where(eq(files.id, id));
  return left.length === 0;
}

async function headOf(key: string, size: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await storage.read(key, 0, Math.min(size, LOOKED_AT) - 1)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
