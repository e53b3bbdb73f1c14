import { randomUUID } from "node:crypto";
import { and, eq, gt, isNull, ne, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { keyedMutex } from "#app/db/keyed-mutex.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { finishUpload } from "#app/domain/content/finish-upload.server.ts";
import { type FileRow, findUpload, unlessCancelled } from "#app/domain/content/upload.server.ts";
import { lockSellerFiles, refuseWhenFull } from "#app/domain/file/register-file.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";
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
      const receiving = storage.receivePart(upload, { number, offset, length }, part.bytes);
      const receivedPart = await unlessCancelled(id, receiving);
      try {
        if (part.isLonger()) throw wrongLength();
        if (lease.isSuperseded()) throw wrongOffset(file);
        if (receivedPart.bytes === 0) return file;
        // On disk before the row is updated; after a crash in between the same offset is written again.
        const tag = await unlessCancelled(id, receivedPart.commit());
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
      yield chunk.subarray(0, remaining);
      if (isLonger) return;
      remaining -= chunk.byteLength;
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
      touchedAt: sql`now()`,
      lease: null,
      leasedUntil: null,
    })
    .where(isLeased(id, lease))
    .returning();
  return row ?? null;
}

/** An upload, as long as this lease of it is the last. */
const isLeased = (id: string, lease: string) => and(eq(files.id, id), eq(files.lease, lease));

function wrongOffset(file: FileRow): Refusal {
  return new Refusal(
    "conflict",
    `A próxima parte começa em ${file.received}`,
    undefined,
    undefined,
    "wrong_offset",
  );
}

/** Parts of one seller received at the same time, across all processes. */
const MAX_CONCURRENT_PARTS = 4;
/** The lease of a part; that of a process that died expires. Renewed while the part is received. */
const LEASE = 15 * SECOND;
const RENEW_INTERVAL = 5 * SECOND;
const leaseEndSql = sql`now() + make_interval(secs => ${LEASE / SECOND})`;
/** The longest wait for a part's next byte, and for its last: shorter than Node's own request timeout. */
const IDLE_TIMEOUT = 15 * SECOND;
const MAX_PART_DURATION = 4 * MINUTE;

/**
 * Ends the lease of a request that receives a part of an upload in this process; other processes find out when they renew.
 */
const leaseTakeovers = new Map<string, () => void>();

/** The right to receive the next part of an upload. */
type PartLease = {
  token: string;
  /** Aborted if the part took too long, or another request took over the upload. */
  signal: AbortSignal;
  /** Whether another request receives this part now. */
  isSuperseded(): boolean;
  /** Passes the bytes through, and aborts when the connection is idle. */
  watch(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  release(): Promise<void>;
};

/**
 * Leases the next part of an upload. Of two requests the later one wins: the sender of a part that is sent again has lost
 * the earlier connection, which may not have noticed yet.
 * @returns null where another part is next @throws Refusal too-many (`uploads_busy`)
 */
async function leasePart(file: FileRow): Promise<PartLease | null> {
  const { id, sellerId } = file;
  const token = randomUUID();
  // A seller who sends many parts at once waits here, without using up database connections that the checkout needs.
  const isNext = await keyedMutex(`parts/${sellerId}`, () =>
    db.transaction((tx) => leaseRow(tx, file, token)),
  );
  if (!isNext) return null;

  const abortController = new AbortController();
  let isLost = false;
  const loseLease = () => {
    isLost = true;
    abortController.abort();
  };
  const idleTimer = setTimeout(() => abortController.abort(), IDLE_TIMEOUT);
  const durationTimer = setTimeout(() => abortController.abort(), MAX_PART_DURATION);
  const renewTimer = setInterval(renewLease, RENEW_INTERVAL);
  leaseTakeovers.get(id)?.();
  leaseTakeovers.set(id, loseLease);
  return { token, signal: abortController.signal, isSuperseded: () => isLost, watch, release };

  async function renewLease() {
    try {
      const renewedFiles = await db
        .update(files)
        .set({ leasedUntil: leaseEndSql })
        .where(isLeased(id, token))
        .returning({ id: files.id });
      if (renewedFiles.length === 0) loseLease();
    } catch (err) {
      log.warn({ err, upload: id }, "lease of an upload not renewed");
    }
  }

  async function* watch(body: AsyncIterable<Uint8Array>) {
    for await (const chunk of body) {
      idleTimer.refresh();
      yield chunk;
    }
  }

  async function release() {
    clearTimeout(idleTimer);
    clearTimeout(durationTimer);
    clearInterval(renewTimer);
    if (leaseTakeovers.get(id) === loseLease) leaseTakeovers.delete(id);
    if (isLost) return;
    await db.update(files).set({ lease: null, leasedUntil: null }).where(isLeased(id, token));
  }
}

/** @returns whether the part is still the next one */
async function leaseRow(tx: Tx, { id, sellerId, received }: FileRow, token: string): Promise<boolean> {
  await lockSellerFiles(tx, sellerId);
  const otherUploads = and(
    ...[eq(files.sellerId, sellerId), isNull(files.readyAt), ne(files.id, id)],
    gt(files.leasedUntil, sql`now()`),
  );
  if ((await tx.$count(files, otherUploads)) >= MAX_CONCURRENT_PARTS) throw tooManyUploads();
  const leased = await tx
    .update(files)
    .set({ lease: token, leasedUntil: leaseEndSql })
    .where(and(eq(files.id, id), eq(files.received, received)))
    .returning({ id: files.id });
  return leased.length > 0;
}

function tooManyUploads(): Refusal {
  return new Refusal(
    "too-many",
    `Já há ${MAX_CONCURRENT_PARTS} arquivos sendo enviados. Espere um deles terminar.`,
    "file",
    5,
    "uploads_busy",
  );
}
