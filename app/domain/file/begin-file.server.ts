import { eq, gt } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { StorageAway } from "#app/platform/storage/keeper.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

/** Tells the keeper of a file that was announced; where it takes none the row goes again. @throws StorageFull, StorageAway */
export async function beginFile(id: string): Promise<string | null> {
  try {
    const uploadRef = await storage.begin(id).catch(async (error) => {
      if (!(error instanceof StorageAway)) throw error;
      if (!(await isAnyKept())) await storage.prepare();
      // Also where somebody else's first file came meanwhile.
      return storage.begin(id);
    });
    if (uploadRef) await db.update(files).set({ uploadRef }).where(eq(files.id, id));
    return uploadRef;
  } catch (error) {
    await db.delete(files).where(eq(files.id, id));
    throw error;
  }
}

/** Whether there is anything that a keeper out of reach may have. */
async function isAnyKept(): Promise<boolean> {
  const some = await db.select({ id: files.id }).from(files).where(gt(files.received, 0)).limit(1);
  return some.length > 0;
}
