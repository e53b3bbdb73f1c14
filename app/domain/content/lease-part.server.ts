import { randomUUID } from "node:crypto";
import { and, eq, gt, isNull, ne, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { inTurn } from "#app/db/in-turn.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import type { FileRow } from "#app/domain/content/find-upload.server.ts";
import { holdFiles } from "#app/domain/file/announce-file.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";

/** Parts of one seller that are received at once, by all processes. */
const AT_ONCE = 4;
/** For how long a part is leased; a process that died holds it no longer. Renewed while the part comes. */
const LEASE = 15 * SECOND;
const RENEWED = 5 * SECOND;
const leaseEnd = sql`now() + make_interval(secs => ${LEASE / SECOND})`;
/** How long a part may keep us waiting for its next byte, and for its last: before Node itself ends the request. */
const IDLE = 15 * SECOND;
const LONGEST = 4 * MINUTE;

/** Takes the lease from whoever receives a part of an upload in this process; other processes learn of it when they renew. */
const superseding = new Map<string, () => void>();

/** The right to receive the next part of an upload. */
export type Lease = {
  token: string;
  /** Aborted where the part took too long, or another request took the upload over. */
  signal: AbortSignal;
  /** Whether another request receives this part now. */
  isSuperseded(): boolean;
  /** The same bytes, told apart from a connection that stands still. */
  watch(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  release(): Promise<void>;
};

/**
 * Leases the next part of an upload. Of two requests the later one has it: who sends a part anew has lost the connection of
 * before, which may not know it yet.
 * @returns null where another part is the next @throws Refusal too-many (`uploads_busy`)
 */
export async function leasePart(file: FileRow): Promise<Lease | null> {
  const { id, sellerId } = file;
  const token = randomUUID();
  // Who sends many at once waits here, and takes no connection of the checkout's.
  const isLeased = await inTurn(`parts/${sellerId}`, () => db.transaction((tx) => leaseRow(tx, file, token)));
  if (!isLeased) return null;

  const stop = new AbortController();
  let isLost = false;
  const lose = () => {
    isLost = true;
    stop.abort();
  };
  const idle = setTimeout(() => stop.abort(), IDLE);
  const longest = setTimeout(() => stop.abort(), LONGEST);
  const renewing = setInterval(renew, RENEWED);
  superseding.get(id)?.();
  superseding.set(id, lose);
  return { token, signal: stop.signal, isSuperseded: () => isLost, watch, release };

  async function renew() {
    try {
      const mine = and(eq(files.id, id), eq(files.lease, token));
      const held = await db
        .update(files)
        .set({ leasedUntil: leaseEnd })
        .where(mine)
        .returning({ id: files.id });
      if (held.length === 0) lose();
    } catch (err) {
      log.warn({ err, upload: id }, "lease of an upload not renewed");
    }
  }

  async function* watch(body: AsyncIterable<Uint8Array>) {
    for await (const chunk of body) {
      idle.refresh();
      yield chunk;
    }
    clearTimeout(idle);
  }

  async function release() {
    clearTimeout(idle);
    clearTimeout(longest);
    clearInterval(renewing);
    if (superseding.get(id) === lose) superseding.delete(id);
    if (isLost) return;
    const mine = and(eq(files.id, id), eq(files.lease, token));
    await db.update(files).set({ lease: null, leasedUntil: null }).where(mine);
  }
}

/** @returns whether the part is still the next */
async function leaseRow(tx: Tx, { id, sellerId, received }: FileRow, token: string): Promise<boolean> {
  await holdFiles(tx, sellerId);
  const others = and(
    ...[eq(files.sellerId, sellerId), isNull(files.readyAt), ne(files.id, id)],
    gt(files.leasedUntil, sql`now()`),
  );
  if ((await tx.$count(files, others)) >= AT_ONCE) throw busy();
  const leased = await tx
    .update(files)
    .set({ lease: token, leasedUntil: leaseEnd })
    .where(and(eq(files.id, id), eq(files.received, received), isNull(files.readyAt)))
    .returning({ id: files.id });
  return leased.length > 0;
}

function busy(): Refusal {
  return new Refusal(
    "too-many",
    `Já há ${AT_ONCE} arquivos sendo enviados. Espere um deles terminar.`,
    "file",
    5,
    "uploads_busy",
  );
}
