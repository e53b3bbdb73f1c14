import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

/** Deletes a whole file that nothing leads to. The bytes first: whoever is killed in between finds the row again. */
export async function dropFile(id: string): Promise<void> {
  await storage.remove(id);
  await db.delete(files).where(eq(files.id, id));
}
