import { createHash } from "node:crypto";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { nowRoundedUp } from "#app/db/columns.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { pictures } from "#app/db/schema/pictures.server.ts";
import { deleteFile } from "#app/domain/file/delete-file.server.ts";
import { storeBytes } from "#app/domain/file/store-bytes.server.ts";
import { MAX_ATTEMPTS, RETRY_DELAY } from "#app/domain/picture/limits.ts";
import { SECOND } from "#app/kit/duration.ts";
import type { PictureFailure } from "#app/kit/files/pictures.ts";
import { log } from "#app/platform/log.server.ts";
import { type EncodedPicture, PictureError } from "#app/platform/picture/encoded-picture.ts";
import { processPicture } from "#app/platform/picture/process-picture.server.ts";
import { FileMissing, StorageFull, StorageUnavailable } from "#app/platform/storage/blob-store.ts";
import { storage } from "#app/platform/storage/storage.server.ts";
import { defineQueue } from "#app/queue/define-queue.server.ts";
import { PICTURES } from "#app/queue/names.ts";
import { renewWhile } from "#app/queue/renew-while.server.ts";
import { sellerRotation } from "#app/queue/seller-rotation.server.ts";

/** A worker that has not renewed its lease for this long is considered dead. */
const LEASE = 90 * SECOND;
const leaseEnd = sql`now() + make_interval(secs => ${LEASE / SECOND})`;

type ClaimedPicture = Pick<typeof pictures.$inferSelect, "id" | "sellerId" | "use" | "sourceId" | "attempts">;

/** Processes uploaded pictures, one at a time, alternating between sellers: the worker's other work is more urgent. */
export const pictureQueue = defineQueue<ClaimedPicture>({
  name: PICTURES,
  concurrency: 1,
  pollInterval: 5 * SECOND,
  claim: claimPictures,
  handle: preparePicture,
  logIds: ({ id, attempts }) => ({ pictureId: id, attempts: attempts }),
});

const rotation = sellerRotation();

async function claimPictures(limit: number): Promise<ClaimedPicture[]> {
  const claimed = await db
    .update(pictures)
    .set({
      scheduledAt: leaseEnd,
      attempts: sql`${pictures.attempts} + 1`,
    })
    .where(
      sql`${pictures.id} = any(array(select id from pictures where scheduled_at <= ${nowRoundedUp}
        order by ${rotation.orderBySeller()}, scheduled_at limit ${limit} for update skip locked))`,
    )
    .returning({
      id: pictures.id,
      sellerId: pictures.sellerId,
      use: pictures.use,
      sourceId: pictures.sourceId,
      attempts: pictures.attempts,
    });
  rotation.markServed(claimed);
  return claimed;
}

/**
 * Encodes a picture in all its sizes, or records why that failed. A second run, or one whose lease has ended, changes
 * nothing.
 * @returns in how many milliseconds it is due again, where the blob store is full or unavailable
 */
async function preparePicture(claim: ClaimedPicture): Promise<number | undefined> {
  try {
    const renew = () => renewLease(claim);
    const isOurs = await renewWhile(LEASE, renew, async () => {
      const processed = await processOrFail(claim);
      return typeof processed === "string" ? fail(claim, processed) : makeReady(claim, processed);
    });
    if (isOurs && claim.sourceId) await deleteFile(claim.sourceId);
    return undefined;
  } catch (error) {
    if (!(error instanceof StorageFull || error instanceof StorageUnavailable)) throw error;
    const message =
      error instanceof StorageFull ? "no room left for pictures" : "pictures to be prepared are out of reach";
    log.error({ err: error, pictureId: claim.id }, message);
    return postpone(claim);
  }
}

/** A bucket may take minutes to send or store one. */
async function renewLease(claim: ClaimedPicture): Promise<void> {
  await db.update(pictures).set({ scheduledAt: leaseEnd }).where(isStillClaimed(claim));
}

/** The picture is not the cause: this attempt does not count. */
async function postpone(claim: ClaimedPicture): Promise<number> {
  await db
    .update(pictures)
    .set({
      scheduledAt: sql`now() + make_interval(secs => ${RETRY_DELAY / SECOND})`,
      attempts: claim.attempts - 1,
    })
    .where(isStillClaimed(claim));
  return RETRY_DELAY;
}

async function processOrFail({
  sourceId,
  use,
  attempts,
}: ClaimedPicture): Promise<EncodedPicture | PictureFailure> {
  if (!sourceId) return "broken";
  try {
    const [source] = await db.select({ size: files.size }).from(files).where(eq(files.id, sourceId));
    if (!source) return "broken";
    return await processPicture(await storage.read(sourceId, 0, source.size - 1), use);
  } catch (error) {
    if (error instanceof PictureError) return error.kind;
    if (error instanceof FileMissing) return "broken";
    if (error instanceof StorageUnavailable) throw error;
    if (attempts >= MAX_ATTEMPTS) return "heavy";
    throw error;
  }
}

/** @returns whether the picture was still claimed by this worker */
async function fail(claim: ClaimedPicture, failure: PictureFailure): Promise<boolean> {
  const rows = await db
    .update(pictures)
    .set({ failure, scheduledAt: null, sourceId: null })
    .where(isStillClaimed(claim))
    .returning({ id: pictures.id });
  return rows.length > 0;
}

/** @returns the same */
async function makeReady(
  claim: ClaimedPicture,
  { bytes, variants, ...processed }: EncodedPicture,
): Promise<boolean> {
  const pack = Buffer.concat(bytes);
  const { sellerId, use } = claim;
  const key = createHash("sha256").update(`${sellerId}/${use}/`).update(pack).digest("hex").slice(0, 32);
  const same = await db.transaction((tx) => reuseSame(tx, claim, key));
  if (same !== null) return same;
  const packId = await storeBytes(sellerId, { name: "imagem", size: pack.byteLength }, streamOf(pack));
  let from = 0;
  const storedVariants = variants.map((variant) => {
    const at = { ...variant, from };
    from += variant.bytes;
    return at;
  });
  const isReady = await db.transaction(async (tx) => {
    await tx
      .update(files)
      .set({ readyAt: new Date(), contentType: "application/octet-stream" })
      .where(eq(files.id, packId));
    return markReady(tx, claim, { ...processed, key, packId, variants: storedVariants });
  });
  if (!isReady) await deleteFile(packId);
  return isReady;
}

async function* streamOf(bytes: Uint8Array) {
  yield bytes;
}

/** Reuses the files of an identical picture that the seller uploaded before; null where there is none. */
async function reuseSame(tx: Tx, claim: ClaimedPicture, key: string): Promise<boolean | null> {
  const [same] = await tx
    .select()
    .from(pictures)
    .where(and(eq(pictures.key, key), eq(pictures.sellerId, claim.sellerId), isNotNull(pictures.readyAt)))
    .limit(1)
    .for("no key update");
  if (!same) return null;
  const { packId, variants, width, height, fallback, isAnimated } = same;
  return markReady(tx, claim, { key, packId, variants, width, height, fallback, isAnimated });
}

type ReadyFields = Partial<typeof pictures.$inferInsert>;

async function markReady(tx: Tx, claim: ClaimedPicture, ready: ReadyFields): Promise<boolean> {
  const rows = await tx
    .update(pictures)
    .set({ ...ready, readyAt: sql`now()`, touchedAt: sql`now()`, scheduledAt: null, sourceId: null })
    .where(isStillClaimed(claim))
    .returning({ id: pictures.id });
  return rows.length > 0;
}

function isStillClaimed({ id, attempts }: ClaimedPicture) {
  return and(eq(pictures.id, id), eq(pictures.attempts, attempts), isNotNull(pictures.scheduledAt));
}
