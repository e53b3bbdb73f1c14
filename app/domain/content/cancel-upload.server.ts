import { and, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { findUpload } from "#app/domain/content/find-upload.server.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

/** Cancels an unfinished upload; a finished file stays. @throws Refusal not-found */
export async function cancelUpload(sellerId: string, id: string): Promise<void> {
  const { uploadRef: ref } = await findUpload(sellerId, id);
  const [deleted] = await db
    .delete(files)
    .where(and(eq(files.id, id), eq(files.sellerId, sellerId), isNull(files.readyAt)))
    .returning({ id: files.id });
  if (deleted) await storage.abandon({ key: id, ref });
}
