import { and, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { type FileRow, findUpload } from "#app/domain/content/find-upload.server.ts";
import { finishUpload } from "#app/domain/content/finish-upload.server.ts";
import { orFull } from "#app/domain/file/or-full.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { PART_BYTES } from "#app/platform/storage/keeper.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

/**
 * Takes the next part of an upload. Parts come one after the other, each of `PART_BYTES` but the last; of one whose
 * connection was cut as much may stay as came. With the last the file is whole. Asked for once more it is finished, where
 * whoever took the last part died.
 * @throws Refusal not-found; conflict (`wrong_offset`) where another part is the next; unavailable (`storage_full`)
 */
export async function takePart(
  sellerId: string,
  id: string,
  { offset, length }: { offset: number; length: number },
  body: AsyncIterable<Uint8Array>,
): Promise<FileRow> {
  const file = await findUpload(sellerId, id);
  if (file.readyAt) return file;
  if (offset !== file.received) throw wrongOffset(file);
  if (file.received === file.size) return orFull(() => finishUpload(file));
  if (length !== Math.min(PART_BYTES, file.size - offset))
    throw new Refusal("invalid", `Uma parte tem ${PART_BYTES} bytes; a última, o que falta`);
  const upload = { key: file.id, ref: file.uploadRef, size: file.size };
  const number = file.parts.length + 1;
  return orFull(async () => {
    const taken = await storage.take(upload, { number, offset, length }, body);
    try {
      const kept = await db.transaction(async (tx) => {
        const at = and(eq(files.id, id), eq(files.received, offset), isNull(files.readyAt));
        const [held] = await tx.select({ id: files.id }).from(files).where(at).for("update");
        if (!held) return null;
        if (taken.bytes === 0) return file;
        // On disk before the row says so; whoever is killed in between writes the same place again.
        const tag = await taken.add();
        const [row] = await tx
          .update(files)
          .set({
            received: offset + taken.bytes,
            parts: sql`${files.parts} || ${JSON.stringify([tag])}::jsonb`,
            touchedAt: new Date(),
          })
          .where(and(at, eq(files.sellerId, sellerId)))
          .returning();
        return row!;
      });
      if (!kept) throw wrongOffset(await findUpload(sellerId, id));
      return kept.received === kept.size ? await finishUpload(kept) : kept;
    } catch (error) {
      await taken.drop();
      throw error;
    }
  });
}

function wrongOffset(file: FileRow): Refusal {
  return new Refusal(
    "conflict",
    `A próxima parte começa em ${file.received}`,
    undefined,
    undefined,
    "wrong_offset",
  );
}
