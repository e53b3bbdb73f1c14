import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { byNow } from "#app/db/columns.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { stamps } from "#app/db/schema/stamps.server.ts";
import { dropFile } from "#app/domain/file/drop-file.server.ts";
import { keepBytes } from "#app/domain/file/keep-bytes.server.ts";
import { MOST_TRIES } from "#app/domain/stamp/limits.ts";
import { SAMPLE_WORDS, stampWords, wordsKey } from "#app/domain/stamp/stamp-words.server.ts";
import { tellUnstamped } from "#app/domain/stamp/tell-unstamped.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import type { StampFailure } from "#app/kit/files/stamps.ts";
import { log } from "#app/platform/log.server.ts";
import type { StampWords } from "#app/platform/pdf/stamp.server.ts";
import { stampConfined } from "#app/platform/pdf/stamp-confined.server.ts";
import { StampRefused } from "#app/platform/pdf/stamp-refused.ts";
import { FileGone, StorageAway, StorageFull } from "#app/platform/storage/keeper.ts";
import { storage } from "#app/platform/storage/storage.server.ts";
import { STAMPS } from "#app/queue/names.ts";
import { definePump } from "#app/queue/pump.server.ts";
import { turnsBySeller } from "#app/queue/turns.server.ts";

/** Longer than stamping and keeping one may take. */
const LEASE = 90 * SECOND;

type Due = Pick<typeof stamps.$inferSelect, "id" | "sellerId" | "fileId" | "saleId" | "wordsKey" | "tries">;

/** Stamps PDFs that buyers asked for, one at a time: it takes memory, and a second. */
export const stamping = definePump<Due>({
  name: STAMPS,
  atOnce: 1,
  every: 5 * SECOND,
  claim: claimStamps,
  handle: makeStamp,
  about: ({ id, fileId, tries }) => ({ stampId: id, fileId, tries }),
});

const turns = turnsBySeller();

/**
 * Those that a buyer waits for go before what is only tried; among these sellers take turns.
 */
async function claimStamps(most: number): Promise<Due[]> {
  const taken = await db
    .update(stamps)
    .set({ dueAt: sql`now() + make_interval(secs => ${LEASE / SECOND})`, tries: sql`${stamps.tries} + 1` })
    .where(
      sql`${stamps.id} = any(array(select id from stamps where due_at <= ${byNow}
        order by sale_id is null, ${turns.order()}, due_at
        limit ${most} for update skip locked))`,
    )
    .returning({
      id: stamps.id,
      sellerId: stamps.sellerId,
      fileId: stamps.fileId,
      saleId: stamps.saleId,
      wordsKey: stamps.wordsKey,
      tries: stamps.tries,
    });
  turns.took(taken);
  return taken;
}

/**
 * Makes a stamped copy, or says why there is none. Whoever does it a second time, or wakes up after somebody else took it
 * over, changes nothing.
 */
async function makeStamp(due: Due): Promise<void> {
  const words = due.saleId ? await wordsOf(due) : SAMPLE_WORDS;
  // The money went back, or the buyer's data is another: nobody asks for these words any more.
  if (!words) return forget(due);
  const made = await copyOr(due, words);
  if ("failure" in made) return fail(due, made.failure);
  const isOurs = await settle(due, made.copyId);
  if (!isOurs && made.copyId) await dropFile(made.copyId);
}

async function wordsOf({ saleId, wordsKey: key }: Due): Promise<StampWords | null> {
  const [sale] = await db
    .select({ id: sales.id, customerName: sales.customerName, customerEmail: sales.customerEmail })
    .from(sales)
    .where(and(eq(sales.id, saleId!), inArray(sales.status, ["completed", "disputed"])));
  const words = sale && stampWords(sale);
  return words && wordsKey(words) === key ? words : null;
}

/** @returns the copy's file, null where it was only tried */
async function copyOr(
  { sellerId, fileId, saleId, tries }: Due,
  words: StampWords,
): Promise<{ copyId: string | null } | { failure: StampFailure }> {
  // What ended its worker each time is not begun once more.
  if (tries > MOST_TRIES) return { failure: "heavy" };
  const [file] = await db
    .select({ name: files.name, size: files.size })
    .from(files)
    .where(eq(files.id, fileId));
  if (!file) return { failure: "gone" };
  try {
    const source = await storage.read(fileId, 0, file.size - 1);
    const copyId = await stampConfined(source, file.size, words, async ({ size, bytes }) =>
      saleId ? keepBytes(sellerId, { name: file.name, size, isCopy: true }, bytes) : null,
    );
    return { copyId };
  } catch (error) {
    if (error instanceof StampRefused) return { failure: error.kind };
    if (error instanceof FileGone) return { failure: "gone" };
    if (error instanceof StorageFull) {
      log.error({ file: fileId }, "no room left for stamped files");
      return { failure: "full" };
    }
    // Out of reach for a while: to be tried again when that has passed, as what is gone is, and no fault of the PDF.
    if (tries >= MOST_TRIES) return { failure: error instanceof StorageAway ? "gone" : "heavy" };
    throw error;
  }
}

async function forget(due: Due): Promise<void> {
  await db.delete(stamps).where(stillOurs(due));
}

async function fail(due: Due, failure: StampFailure): Promise<void> {
  await db.transaction(async (tx) => {
    const [failed] = await tx
      .update(stamps)
      .set({ failure, dueAt: null })
      .where(stillOurs(due))
      .returning({ id: stamps.id });
    // Of a file that is gone its seller hears where somebody asks for it.
    if (failed && failure !== "gone") await tellUnstamped(tx, due.fileId, failure);
  });
}

/** @returns whether it was still ours to say */
async function settle(due: Due, copyId: string | null): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [done] = await tx
      .update(stamps)
      .set({ copyId, failure: null, dueAt: null })
      .where(stillOurs(due))
      .returning({ id: stamps.id });
    if (done && copyId)
      await tx
        .update(files)
        .set({ readyAt: new Date(), touchedAt: new Date(), contentType: "application/pdf" })
        .where(eq(files.id, copyId));
    return done !== undefined;
  });
}

function stillOurs({ id, tries }: Due) {
  return and(eq(stamps.id, id), eq(stamps.tries, tries), isNotNull(stamps.dueAt));
}
