import { and, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { type FileRow, findUpload } from "#app/domain/content/find-upload.server.ts";
import { finishUpload } from "#app/domain/content/finish-upload.server.ts";
import { leasePart } from "#app/domain/content/lease-part.server.ts";
import { orFull } from "#app/domain/file/or-full.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { PART_BYTES } from "#app/platform/storage/keeper.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

/**
 * Takes the next part of an upload. Parts come one after the other, each of `PART_BYTES` but the last; of one whose
 * connection was cut as much may stay as came. One comes at a time, and none for ever. With the last the file is whole. Asked for once more it is finished, where
 * whoever took the last part died.
 * @param body the part's bytes; they end when the signal says so
 * @throws Refusal not-found; conflict (`wrong_offset`) where another part is the next; too-many (`uploads_busy`);
 *   unavailable (`storage_full`)
 */
export async function takePart(
  sellerId: string,
  id: string,
  { offset, length }: { offset: number; length: number },
  body: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
): Promise<FileRow> {
  const file = await findUpload(sellerId, id);
  if (file.readyAt) return file;
  if (offset !== file.received) throw wrongOffset(file);
  if (file.received === file.size) return orFull(() => finishUpload(file));
  if (length !== Math.min(PART_BYTES, file.size - offset)) throw wrongLength();
  const upload = { key: file.id, ref: file.uploadRef, size: file.size };
  const number = file.parts.length + 1;
  return orFull(async () => {
    const lease = await leasePart(file);
    if (!lease) throw wrongOffset(await findUpload(sellerId, id));
    try {
      const part = noMoreThan(length, lease.watch(body(lease.signal)));
      const taken = await storage.take(upload, { number, offset, length }, part.bytes);
      try {
        if (part.isLonger()) throw wrongLength();
        if (lease.isSuperseded()) throw wrongOffset(file);
        if (taken.bytes === 0) return file;
        // On disk before the row says so; whoever is killed in between writes the same place again.
        const tag = await taken.add();
        const kept = await keepPart(file, lease.token, taken.bytes, tag);
        if (!kept) throw wrongOffset(await findUpload(sellerId, id));
        return kept.received === kept.size ? await finishUpload(kept) : kept;
      } finally {
        await taken.drop();
      }
    } finally {
      await lease.release();
    }
  });
}

/** A part whose length was not announced may be longer than it should: what is too much is not kept, and is known of. */
function noMoreThan(length: number, body: AsyncIterable<Uint8Array>) {
  let isLonger = false;
  async function* bytes() {
    let left = length;
    for await (const chunk of body) {
      isLonger = chunk.byteLength > left;
      if (left > 0) yield chunk.subarray(0, left);
      left -= Math.min(left, chunk.byteLength);
      if (isLonger) return;
    }
  }
  return { bytes: bytes(), isLonger: () => isLonger };
}

function wrongLength(): Refusal {
  return new Refusal("invalid", `Uma parte tem ${PART_BYTES} bytes; a última, o que falta`);
}

/** @returns null where another request receives the part by now, or has */
async function keepPart(
  { id, received: offset }: FileRow,
  lease: string,
  bytes: number,
  tag: string,
): Promise<FileRow | null> {
  const [row] = await db
    .update(files)
    .set({
      received: offset + bytes,
      parts: sql`${files.parts} || ${JSON.stringify([tag])}::jsonb`,
      touchedAt: new Date(),
      lease: null,
      leasedUntil: null,
    })
    .where(and(eq(files.id, id), eq(files.received, offset), eq(files.lease, lease), isNull(files.readyAt)))
    .returning();
  return row ?? null;
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
