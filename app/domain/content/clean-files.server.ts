import { and, asc, eq, gt, isNotNull, isNull, lt, notExists, or, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ago } from "#app/db/conditions.server.ts";
import { contentItems, contents, droppedUploads, files, lineContents } from "#app/db/schema/files.server.ts";
import { pictures } from "#app/db/schema/pictures.server.ts";
import { stampedCopies } from "#app/db/schema/stamped-copies.server.ts";
import { finishUpload } from "#app/domain/content/finish-upload.server.ts";
import { deleteFile } from "#app/domain/file/delete-file.server.ts";
import { cleanPictures } from "#app/domain/picture/clean-pictures.server.ts";
import { deleteStampedCopies } from "#app/domain/stamped-copy/delete-stamped-copies.server.ts";
import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { log } from "#app/platform/log.server.ts";
import type { BlobStore } from "#app/platform/storage/blob-store.ts";
import { storage } from "#app/platform/storage/storage.server.ts";
import { defineJob } from "#app/queue/job.server.ts";
import { FIRST_CURSOR, readRows } from "#app/queue/read-batches.server.ts";
import { runEach } from "#app/queue/run-each.server.ts";

/** An upload without activity for this long is deleted. */
const UPLOAD_ABANDONED_AFTER = 7 * DAY;
/** An unused file is deleted this much later: somebody may be downloading it. */
const UNUSED_RETENTION = DAY;
/**
 * A stamped copy sooner: it has its buyer's name, who may have been anonymized. A download that began goes on in a folder. Not at
 * once, since one that takes minutes to be stored is completed here before its worker refers to it.
 */
const UNUSED_COPY_RETENTION = HOUR;
/** Long after any stray upload of it was found. */
const DROPPED_UPLOAD_RETENTION = 90 * DAY;
const BATCH_SIZE = 200;

/**
 * Once a day: finishes uploads that were received in full but not completed, and deletes abandoned uploads and unused
 * files.
 */
export const cleanFiles = defineJob<Record<string, never>>("clean-files", async () => {
  const cleaned = new Map<string, number>();
  const steps = {
    finished: finishCompleteUploads,
    "given up": deleteAbandonedUploads,
    contents: deleteOrphanContents,
    pictures: cleanPictures,
    stampedCopies: deleteStampedCopies,
    unused: deleteUnused,
    strays: () => abandonStrayUploads(),
  };
  const cleanStep = async ([name, clean]: [string, () => Promise<number>]) => {
    cleaned.set(name, await clean());
  };
  const cleaning = runEach(Object.entries(steps), cleanStep, "not all files cleaned up");
  await cleaning.finally(() => log.info({ cleaned: Object.fromEntries(cleaned) }, "files cleaned up"));
});

async function finishCompleteUploads(): Promise<number> {
  const completeUploads = await db
    .select()
    .from(files)
    .where(and(isNull(files.readyAt), eq(files.received, files.size), lt(files.touchedAt, ago(10 * MINUTE))))
    .limit(BATCH_SIZE);
  for (const file of completeUploads)
    await finishUpload(file).catch((err) => log.error({ err, file: file.id }, "upload not finished"));
  return completeUploads.length;
}

async function deleteAbandonedUploads(): Promise<number> {
  const abandonedUploads = await db
    .delete(files)
    .where(and(isNull(files.readyAt), lt(files.touchedAt, ago(UPLOAD_ABANDONED_AFTER))))
    .returning({ key: files.id, ref: files.uploadRef });
  await runEach(abandonedUploads, (upload) => storage.abandon(upload), "uploads not abandoned");
  return abandonedUploads.length;
}

/** Deletes the contents of products, bumps and upsells that were removed before anybody bought them. */
async function deleteOrphanContents(): Promise<number> {
  const deletedContents = await db
    .delete(contents)
    .where(
      and(
        sql`num_nonnulls(${contents.productId}, ${contents.orderBumpId}, ${contents.upsellId}) = 0`,
        notExists(
          db.select({ one: sql`1` }).from(lineContents).where(eq(lineContents.contentId, contents.id)),
        ),
      ),
    )
    .returning({ id: contents.id });
  return deletedContents.length;
}

/** Deletes all of them in one run: stamped copies may be thousands, and contain buyers' names. */
async function deleteUnused(): Promise<number> {
  let count = 0;
  const deleteOne = async ({ id }: { id: string }) => {
    await deleteFile(id);
    count += 1;
  };
  const unused = readRows({ id: FIRST_CURSOR.id }, BATCH_SIZE, ({ id }) => findUnused(id));
  await runEach(unused, deleteOne, "unused files not deleted");
  return count;
}

async function findUnused(after: string): Promise<{ id: string }[]> {
  return db
    .select({ id: files.id })
    .from(files)
    .where(
      and(
        gt(files.id, after),
        isNotNull(files.readyAt),
        or(
          lt(files.touchedAt, ago(UNUSED_RETENTION)),
          and(eq(files.isCopy, true), lt(files.touchedAt, ago(UNUSED_COPY_RETENTION))),
        ),
        notExists(db.select({ one: sql`1` }).from(contentItems).where(eq(contentItems.fileId, files.id))),
        notExists(db.select({ one: sql`1` }).from(stampedCopies).where(eq(stampedCopies.copyId, files.id))),
        notExists(db.select({ one: sql`1` }).from(pictures).where(eq(pictures.packId, files.id))),
        notExists(db.select({ one: sql`1` }).from(pictures).where(eq(pictures.sourceId, files.id))),
      ),
    )
    .orderBy(asc(files.id))
    .limit(BATCH_SIZE);
}

/**
 * Abandons uploads in the blob store that no row refers to, because the process that should have abandoned them was killed.
 * A bucket may be shared: there only uploads of files that were ours are abandoned.
 */
export async function abandonStrayUploads(blobStore: BlobStore = storage): Promise<number> {
  let count = 0;
  const before = new Date(Date.now() - UPLOAD_ABANDONED_AFTER - DAY);
  const abandonStray = async (upload: { key: string; ref: string | null }) => {
    if (!isUuid(upload.key)) return;
    const knownFiles = await db.select({ id: files.id }).from(files).where(eq(files.id, upload.key));
    if (knownFiles.length > 0) return;
    if (blobStore.isShared && !(await isDroppedUpload(upload.key))) return;
    await blobStore.abandon(upload);
    count += 1;
  };
  await runEach(blobStore.unfinishedBefore(before), abandonStray, "stray uploads not abandoned");
  await db.delete(droppedUploads).where(lt(droppedUploads.droppedAt, ago(DROPPED_UPLOAD_RETENTION)));
  return count;
}

async function isDroppedUpload(key: string): Promise<boolean> {
  const found = await db
    .select({ id: droppedUploads.id })
    .from(droppedUploads)
    .where(eq(droppedUploads.id, key));
  return found.length > 0;
}
