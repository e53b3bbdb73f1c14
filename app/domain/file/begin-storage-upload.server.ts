import { eq, gt } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { StorageUnavailable } from "#app/platform/storage/blob-store.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

/** Begins a file's upload in the blob store; if that fails its row is deleted. @throws StorageFull, StorageUnavailable */
export async function beginStorageUpload(id: string): Promise<string | null> {
  try {
    const uploadRef = await storage.begin(id).catch(async (error) => {
      if (!(error instanceof StorageUnavailable)) throw error;
      if (!(await hasStoredFiles())) await storage.prepare();
      // Also where another file was stored meanwhile.
      return storage.begin(id);
    });
    if (uploadRef) await db.update(files).set({ uploadRef }).where(eq(files.id, id));
    return uploadRef;
  } catch (error) {
    await db.delete(files).where(eq(files.id, id));
    throw error;
  }
}

/** Whether any bytes are stored, which an unavailable blob store may have. */
async function hasStoredFiles(): Promise<boolean> {
  const found = await db.select({ id: files.id }).from(files).where(gt(files.received, 0)).limit(1);
  return found.length > 0;
}
