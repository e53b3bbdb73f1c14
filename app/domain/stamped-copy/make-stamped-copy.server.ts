import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { nowRoundedUp } from "#app/db/columns.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { stampedCopies } from "#app/db/schema/stamped-copies.server.ts";
import { deleteFile } from "#app/domain/file/delete-file.server.ts";
import { storeBytes } from "#app/domain/file/store-bytes.server.ts";
import {
  MAX_ATTEMPTS,
  MAX_RETRY_DELAY,
  QUICK_DURATION,
  RETRY_DELAY,
} from "#app/domain/stamped-copy/limits.ts";
import { queueUnstampedMail } from "#app/domain/stamped-copy/queue-unstamped-mail.server.ts";
import { SAMPLE_TEXT, stampText, textKey } from "#app/domain/stamped-copy/stamp-text.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import type { StampFailure } from "#app/kit/files/stamp-limits.ts";
import { log } from "#app/platform/log.server.ts";
import type { StampText } from "#app/platform/pdf/render-stamp.server.ts";
import { StampError } from "#app/platform/pdf/stamp-error.ts";
import { stampInChildProcess } from "#app/platform/pdf/stamp-in-child-process.server.ts";
import { FileMissing, StorageFull, StorageUnavailable } from "#app/platform/storage/blob-store.ts";
import { storage } from "#app/platform/storage/storage.server.ts";
import { defineQueue } from "#app/queue/define-queue.server.ts";
import { STAMPED_COPIES } from "#app/queue/names.ts";
import { renewWhile } from "#app/queue/renew-while.server.ts";
import { sellerRotation } from "#app/queue/seller-rotation.server.ts";

/** A worker that has not renewed its lease for this long is considered dead. */
const LEASE = 90 * SECOND;
const leaseEnd = sql`now() + make_interval(secs => ${LEASE / SECOND})`;

type ClaimedCopy = Pick<
  typeof stampedCopies.$inferSelect,
  "id" | "sellerId" | "fileId" | "saleId" | "textKey" | "attempts"
>;

/** The result: `copyId` is null for a trial stamp; `retryInMs`: when it is due again; `countsAttempt`: whether this attempt counts. */
type CopyOutcome =
  | { copyId: string | null; durationMs: number }
  | { failure: StampFailure }
  | { retryInMs: number; countsAttempt: boolean };

/** Stamps requested PDFs, one at a time: each takes memory, and a second. */
export const stampedCopyQueue = defineQueue<ClaimedCopy>({
  name: STAMPED_COPIES,
  concurrency: 1,
  pollInterval: 5 * SECOND,
  claim: claimStampedCopies,
  handle: makeStampedCopy,
  logIds: ({ id, fileId, attempts }) => ({ stampId: id, fileId, attempts: attempts }),
});

const rotation = sellerRotation();

/**
 * Claims copies for waiting buyers before trial stamps, and of these the files known to be quick first: slow files of many
 * sellers do not delay other sellers' buyers. Within each group, sellers alternate.
 */
async function claimStampedCopies(limit: number): Promise<ClaimedCopy[]> {
  const claimed = await db
    .update(stampedCopies)
    .set({
      scheduledAt: leaseEnd,
      attempts: sql`${stampedCopies.attempts} + 1`,
    })
    .where(
      sql`${stampedCopies.id} = any(array(select id from stamped_copies where scheduled_at <= ${nowRoundedUp}
        order by sale_id is null, not ${isQuickFile}, ${rotation.orderBySeller()}, scheduled_at
        limit ${limit} for update skip locked))`,
    )
    .returning({
      id: stampedCopies.id,
      sellerId: stampedCopies.sellerId,
      fileId: stampedCopies.fileId,
      saleId: stampedCopies.saleId,
      textKey: stampedCopies.textKey,
      attempts: stampedCopies.attempts,
    });
  rotation.markServed(claimed);
  return claimed;
}

/** Whether its file was stamped quickly before, for a buyer or as a trial. */
const isQuickFile = sql`exists (select 1 from stamped_copies earlier
  where earlier.file_id = stamped_copies.file_id and earlier.duration_ms <= ${QUICK_DURATION})`;

/**
 * Makes a stamped copy, or records why that failed. A second run, or one whose lease has ended, changes nothing.
 * @returns in how many milliseconds it is due again
 */
async function makeStampedCopy(claim: ClaimedCopy): Promise<number | undefined> {
  const text = claim.saleId ? await findText(claim) : SAMPLE_TEXT;
  // The sale was refunded, or the buyer's data changed: nobody requests this text any more.
  if (!text) return void (await deleteClaimed(claim));
  const renew = () => renewLease(claim);
  const outcome = await renewWhile(LEASE, renew, () => makeCopyOrFail(claim, text));
  if ("retryInMs" in outcome) return reschedule(claim, outcome);
  if ("failure" in outcome) return void (await fail(claim, outcome.failure));
  const isOurs = await finishCopy(claim, outcome);
  if (!isOurs && outcome.copyId) await deleteFile(outcome.copyId);
  return undefined;
}

/** A bucket may take minutes to store a copy. */
async function renewLease(claim: ClaimedCopy): Promise<void> {
  await db.update(stampedCopies).set({ scheduledAt: leaseEnd }).where(isStillClaimed(claim));
}

async function findText({ saleId, textKey: key }: ClaimedCopy): Promise<StampText | null> {
  const [sale] = await db
    .select({ id: sales.id, customerName: sales.customerName, customerEmail: sales.customerEmail })
    .from(sales)
    .where(and(eq(sales.id, saleId!), inArray(sales.status, ["completed", "disputed"])));
  const text = sale && stampText(sale);
  return text && textKey(text) === key ? text : null;
}

async function makeCopyOrFail(claim: ClaimedCopy, text: StampText): Promise<CopyOutcome> {
  const { sellerId, fileId, saleId, attempts } = claim;
  // A file that ended its worker each time is not attempted again.
  if (attempts > MAX_ATTEMPTS && !(await wasStampedBefore(claim))) return { failure: "heavy" };
  const [file] = await db
    .select({ name: files.name, size: files.size })
    .from(files)
    .where(eq(files.id, fileId));
  if (!file) return { failure: "gone" };
  const startedAt = performance.now();
  try {
    const source = await storage.read(fileId, 0, file.size - 1);
    const copyId = await stampInChildProcess(source, file.size, text, async ({ size, bytes }) =>
      saleId ? storeBytes(sellerId, { name: file.name, size, isCopy: true }, bytes) : null,
    );
    return { copyId, durationMs: Math.round(performance.now() - startedAt) };
  } catch (error) {
    return classifyFailure(claim, error);
  }
}

/**
 * Classifies a failure. Only the file's own fault means that it is delivered without a stamp: not a full or unavailable blob
 * store nor, once it was stamped, a slow machine, a process that died or a buyer's text that could not be rendered.
 * @throws the error where it may pass: the next attempt is made when the lease ends
 */
async function classifyFailure(claim: ClaimedCopy, error: unknown): Promise<CopyOutcome> {
  const { fileId, attempts } = claim;
  if (error instanceof FileMissing) return { failure: "gone" };
  if (error instanceof StorageFull) {
    log.error({ file: fileId }, "no room left for stamped files");
    return { retryInMs: RETRY_DELAY, countsAttempt: false };
  }
  if (error instanceof StorageUnavailable) {
    log.error({ err: error, file: fileId }, "files to be stamped are out of reach");
    return { retryInMs: RETRY_DELAY, countsAttempt: false };
  }
  if (await wasStampedBefore(claim)) {
    log.error({ err: error, file: fileId, tries: attempts }, "stamp put off");
    return {
      retryInMs: Math.min(RETRY_DELAY * 2 ** Math.min(attempts - 1, 10), MAX_RETRY_DELAY),
      countsAttempt: true,
    };
  }
  if (error instanceof StampError) return { failure: error.kind };
  if (attempts >= MAX_ATTEMPTS) return { failure: "heavy" };
  throw error;
}

/** Whether the file was stamped before, for a buyer or as a trial. */
async function wasStampedBefore({ fileId }: ClaimedCopy): Promise<boolean> {
  const [stampedBefore] = await db
    .select({ id: stampedCopies.id })
    .from(stampedCopies)
    .where(
      and(eq(stampedCopies.fileId, fileId), isNull(stampedCopies.scheduledAt), isNull(stampedCopies.failure)),
    )
    .limit(1);
  return stampedBefore !== undefined;
}

async function reschedule(
  claim: ClaimedCopy,
  { retryInMs, countsAttempt }: Extract<CopyOutcome, { retryInMs: number }>,
): Promise<number> {
  await db
    .update(stampedCopies)
    .set({
      scheduledAt: sql`now() + make_interval(secs => ${retryInMs / SECOND})`,
      attempts: countsAttempt ? claim.attempts : claim.attempts - 1,
    })
    .where(isStillClaimed(claim));
  return retryInMs;
}

async function deleteClaimed(claim: ClaimedCopy): Promise<void> {
  await db.delete(stampedCopies).where(isStillClaimed(claim));
}

async function fail(claim: ClaimedCopy, failure: StampFailure): Promise<void> {
  await db.transaction(async (tx) => {
    const [failed] = await tx
      .update(stampedCopies)
      .set({ failure, scheduledAt: null })
      .where(isStillClaimed(claim))
      .returning({ id: stampedCopies.id });
    // For a missing file the seller is notified when a buyer requests it.
    if (failed && failure !== "gone") await queueUnstampedMail(tx, claim.fileId, failure);
  });
}

/** @returns whether the copy was still claimed by this worker */
async function finishCopy(
  claim: ClaimedCopy,
  { copyId, durationMs }: Extract<CopyOutcome, { durationMs: number }>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [done] = await tx
      .update(stampedCopies)
      .set({ copyId, durationMs: durationMs, failure: null, scheduledAt: null })
      .where(isStillClaimed(claim))
      .returning({ id: stampedCopies.id });
    if (done && copyId)
      await tx
        .update(files)
        .set({ readyAt: sql`now()`, touchedAt: sql`now()`, contentType: "application/pdf" })
        .where(eq(files.id, copyId));
    return done !== undefined;
  });
}

function isStillClaimed({ id, attempts }: ClaimedCopy) {
  return and(
    eq(stampedCopies.id, id),
    eq(stampedCopies.attempts, attempts),
    isNotNull(stampedCopies.scheduledAt),
  );
}
