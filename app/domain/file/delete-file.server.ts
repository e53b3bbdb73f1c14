import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

/** Deletes a complete file that nothing refers to. The bytes go first, so that after a crash its row is still found. */
export async function deleteFile(id: string): Promise<void> {
  await storage.remove(id);
  await db.delete(files).where(eq(files.id, id));
}
