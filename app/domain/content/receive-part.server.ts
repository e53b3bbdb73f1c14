import { and, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { type FileRow, findUpload } from "#app/domain/content/find-upload.server.ts";
import { finishUpload } from "#app/domain/content/finish-upload.server.ts";
import { leasePart } from "#app/domain/content/lease-part.server.ts";
import { refuseWhenFull } from "#app/domain/file/refuse-when-full.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { MAX_PART_BYTES } from "#app/platform/storage/blob-store.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

/**
 * Receives the next part of an upload. Parts are sent one after the other, each of `MAX_PART_BYTES` except the last; if a
 * connection was cut, the bytes received so far may be stored. Each part has a time limit. The last part completes the
 * file. A request for a file that is received in full completes it, in case the process that received the last part died.
 * @param body the part's bytes; it ends when the signal aborts
 * @throws Refusal not-found; conflict (`wrong_offset`) where another part is next; too-many (`uploads_busy`);
 * unavailable (`storage_full`)
 */
export async function receivePart(
  sellerId: string,
  id: string,
  { offset, length }: { offset: number; length: number },
  body: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
): Promise<FileRow> {
  const file = await findUpload(sellerId, id);
  if (file.readyAt) return file;
  if (offset !== file.received) throw wrongOffset(file);
  if (file.received === file.size) return refuseWhenFull(() => finishUpload(file));
  if (length !== Math.min(MAX_PART_BYTES, file.size - offset)) throw wrongLength();
  const upload = { key: file.id, ref: file.uploadRef, size: file.size };
  const number = file.parts.length + 1;
  return refuseWhenFull(async () => {
    const lease = await leasePart(file);
    if (!lease) throw wrongOffset(await findUpload(sellerId, id));
    try {
      const part = limitLength(length, lease.watch(body(lease.signal)));
      const receivedPart = await storage.receivePart(upload, { number, offset, length }, part.bytes);
      try {
        if (part.isLonger()) throw wrongLength();
        if (lease.isSuperseded()) throw wrongOffset(file);
        if (receivedPart.bytes === 0) return file;
        // On disk before the row is updated; after a crash in between the same offset is written again.
        const tag = await receivedPart.commit();
        const updatedFile = await recordPart(file, lease.token, receivedPart.bytes, tag);
        if (!updatedFile) throw wrongOffset(await findUpload(sellerId, id));
        return updatedFile.received === updatedFile.size ? await finishUpload(updatedFile) : updatedFile;
      } finally {
        await receivedPart.discard();
      }
    } finally {
      await lease.release();
    }
  });
}

/** A part without a content length may be longer than allowed: excess bytes are dropped and reported by `isLonger`. */
function limitLength(length: number, body: AsyncIterable<Uint8Array>) {
  let isLonger = false;
  async function* bytes() {
    let remaining = length;
    for await (const chunk of body) {
      isLonger = chunk.byteLength > remaining;
      if (remaining > 0) yield chunk.subarray(0, remaining);
      remaining -= Math.min(remaining, chunk.byteLength);
      if (isLonger) return;
    }
  }
  return { bytes: bytes(), isLonger: () => isLonger };
}

function wrongLength(): Refusal {
  return new Refusal("invalid", `Uma parte tem ${MAX_PART_BYTES} bytes; a última, o que falta`);
}

/** @returns null where another request receives this part now, or has received it */
async function recordPart(
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
