import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { beginFile } from "#app/domain/file/begin-file.server.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

/** `size` in bytes. A copy for a buyer does not count against the seller's room. */
type Kept = { name: string; size: number; isCopy?: boolean };

/**
 * Keeps bytes of our own making as a seller's file, as they come. Never refused for the seller's room: what they were made
 * of was counted. Nothing leads to them yet: who gives them their place sets `readyAt` in the same transaction; where nobody
 * does, cleaning finishes the file and, a day later, deletes it.
 * @returns the file's id @throws StorageFull
 */
export async function keepBytes(
  sellerId: string,
  { name, size, isCopy = false }: Kept,
  bytes: AsyncIterable<Uint8Array>,
): Promise<string> {
  const [row] = await db.insert(files).values({ sellerId, name, size, isCopy }).returning({ id: files.id });
  const key = row!.id;
  const ref = await beginFile(key);
  const taken = await storage.take({ key, ref, size }, { number: 1, offset: 0, length: size }, bytes);
  if (taken.bytes !== size) {
    await taken.drop();
    throw new Error("what was to be kept broke off");
  }
  const parts = [await taken.add()];
  await db.update(files).set({ received: size, parts }).where(eq(files.id, key));
  await storage.complete({ key, ref, size }, parts);
  return key;
}
