import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { beginFile } from "#app/domain/file/begin-file.server.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

/**
 * Keeps bytes of our own making as a seller's file. They count against the seller's room, but are never refused: what they
 * were made of was counted. Nothing leads to them yet: who gives them their place sets `readyAt` in the same transaction;
 * where nobody does, cleaning finishes the file and, a day later, deletes it.
 * @returns the file's id
 */
export async function keepBytes(sellerId: string, name: string, bytes: Uint8Array): Promise<string> {
  const size = bytes.byteLength;
  const [row] = await db.insert(files).values({ sellerId, name, size }).returning({ id: files.id });
  const key = row!.id;
  const ref = await beginFile(key);
  const whole = (async function* () {
    yield bytes;
  })();
  const taken = await storage.take({ key, ref, size }, { number: 1, offset: 0, length: size }, whole);
  const parts = [await taken.add()];
  await db.update(files).set({ received: size, parts }).where(eq(files.id, key));
  await storage.complete({ key, ref, size }, parts);
  return key;
}
