import { randomUUID } from "node:crypto";
import { and, eq, gt, isNull, ne, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { keyedMutex } from "#app/db/keyed-mutex.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import type { FileRow } from "#app/domain/content/find-upload.server.ts";
import { lockSellerFiles } from "#app/domain/file/register-file.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";

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
export type PartLease = {
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
export async function leasePart(file: FileRow): Promise<PartLease | null> {
  const { id, sellerId } = file;
  const token = randomUUID();
  // A seller who sends many parts at once waits here, without using up database connections that the checkout needs.
  const isLeased = await keyedMutex(`parts/${sellerId}`, () =>
    db.transaction((tx) => leaseRow(tx, file, token)),
  );
  if (!isLeased) return null;

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
      const isOwnLease = and(eq(files.id, id), eq(files.lease, token));
      const renewedFiles = await db
        .update(files)
        .set({ leasedUntil: leaseEndSql })
        .where(isOwnLease)
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
    clearTimeout(idleTimer);
  }

  async function release() {
    clearTimeout(idleTimer);
    clearTimeout(durationTimer);
    clearInterval(renewTimer);
    if (leaseTakeovers.get(id) === loseLease) leaseTakeovers.delete(id);
    if (isLost) return;
    const isOwnLease = and(eq(files.id, id), eq(files.lease, token));
    await db.update(files).set({ lease: null, leasedUntil: null }).where(isOwnLease);
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
    .where(and(eq(files.id, id), eq(files.received, received), isNull(files.readyAt)))
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
