import { and, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { contentItems, contents, files } from "#app/db/schema/files.server.ts";
import { type ContentOwner, lockOwnContent } from "#app/domain/content/lock-own-content.server.ts";
import { refuseFullContent } from "#app/domain/content/refuse-full-content.server.ts";
import {
  beginStorageUpload,
  lockSellerFiles,
  refuseWhenFull,
  registerFile,
} from "#app/domain/file/register-file.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

export type NewUpload = {
  productId: number;
  owner: ContentOwner;
  name: string;
  /** Bytes. */
  size: number;
  /** The item whose file this one replaces. */
  replacedItemId?: string | null;
};

/**
 * Begins an upload in parts. Its bytes count against the seller's storage limit from now on.
 * @returns the upload's id
 * @throws Refusal not-found; conflict where there are too many items; too-large where it exceeds the seller's storage
 * limit
 */
export async function beginUpload(sellerId: string, upload: NewUpload): Promise<string> {
  const id = await db.transaction(async (tx) => {
    await lockSellerFiles(tx, sellerId);
    const contentId = await lockOwnContent(tx, sellerId, upload.productId, upload.owner);
    const replacesItemId = upload.replacedItemId ?? null;
    if (replacesItemId) await requireReplaceableItem(contentId, replacesItemId);
    else await refuseFullContent(tx, contentId);
    const { name, size } = upload;
    return registerFile(tx, sellerId, { name, size, contentId, replacesItemId });

    async function requireReplaceableItem(contentId: string, itemId: string) {
      const [item] = await tx
        .select({ id: contentItems.id })
        .from(contentItems)
        .innerJoin(contents, eq(contents.id, contentItems.contentId))
        .where(and(eq(contentItems.id, itemId), eq(contents.id, contentId), eq(contentItems.kind, "file")));
      if (!item) throw notFound("Arquivo não encontrado");
    }
  });
  await refuseWhenFull(() => beginStorageUpload(id));
  return id;
}

export type FileRow = typeof files.$inferSelect;

export const uploadNotFound = () => notFound("Envio não encontrado");

/** The result of work on an upload's bytes, which are gone once it is cancelled. @throws Refusal not-found where it was */
export async function unlessCancelled<T>(id: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const [file] = await db.select({ id: files.id }).from(files).where(eq(files.id, id));
    throw file ? error : uploadNotFound();
  }
}

/** A seller's file, finished or not. @throws Refusal not-found */
export async function findUpload(sellerId: string, id: string): Promise<FileRow> {
  if (!isUuid(id)) throw uploadNotFound();
  const [file] = await db
    .select()
    .from(files)
    .where(ownById(files, sellerId, id));
  if (!file) throw uploadNotFound();
  return file;
}

/** Cancels an unfinished upload; a finished file stays, and it returns false. @throws Refusal not-found */
export async function cancelUpload(sellerId: string, id: string): Promise<boolean> {
  const { uploadRef: ref } = await findUpload(sellerId, id);
  const [deleted] = await db
    .delete(files)
    .where(and(ownById(files, sellerId, id), isNull(files.readyAt)))
    .returning({ id: files.id });
  if (deleted) await storage.abandon({ key: id, ref });
  return deleted !== undefined;
}
