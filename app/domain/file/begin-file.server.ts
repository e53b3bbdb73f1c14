import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

/** Tells the keeper of a file that was announced; where it takes none the row goes again. */
export async function beginFile(id: string): Promise<string | null> {
  try {
    const uploadRef = await storage.begin(id);
    if (uploadRef) await db.update(files).set({ uploadRef }).where(eq(files.id, id));
    return uploadRef;
  } catch (error) {
    await db.delete(files).where(eq(files.id, id));
    throw error;
  }
}
