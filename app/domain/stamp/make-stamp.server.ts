import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { byNow } from "#app/db/columns.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { stamps } from "#app/db/schema/stamps.server.ts";
import { dropFile } from "#app/domain/file/drop-file.server.ts";
import { keepBytes } from "#app/domain/file/keep-bytes.server.ts";
import { LONGEST_PAUSE, MOST_TRIES, PAUSE, QUICK } from "#app/domain/stamp/limits.ts";
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

/** What came of one: `copyId` null where it was only tried; `again` in how many milliseconds it is due once more, and whether the try counts. */
type Made =
  | { copyId: string | null; tookMs: number }
  | { failure: StampFailure }
  | { again: number; counts: boolean };

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
 * Those that a buyer waits for go before what is only tried, and of these the files that are known to be quick: slow files of
 * many sellers keep no buyer of another waiting. Among each, sellers take turns.
 */
async function claimStamps(most: number): Promise<Due[]> {
  const taken = await db
    .update(stamps)
    .set({ dueAt: sql`now() + make_interval(secs => ${LEASE / SECOND})`, tries: sql`${stamps.tries} + 1` })
    .where(
      sql`${stamps.id} = any(array(select id from stamps where due_at <= ${byNow}
        order by sale_id is null, not ${isQuick}, ${turns.order()}, due_at
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

/** Its file was stamped in a moment before, for a buyer or to try it. */
const isQuick = sql`exists (select 1 from stamps made
  where made.file_id = stamps.file_id and made.took_ms <= ${QUICK})`;

/**
 * Makes a stamped copy, or says why there is none. Whoever does it a second time, or wakes up after somebody else took it
 * over, changes nothing. @returns in how many milliseconds it is due again
 */
async function makeStamp(due: Due): Promise<number | undefined> {
  const words = due.saleId ? await wordsOf(due) : SAMPLE_WORDS;
  // The money went back, or the buyer's data is another: nobody asks for these words any more.
  if (!words) return void (await forget(due));
  const made = await copyOr(due, words);
  if ("again" in made) return putOff(due, made);
  if ("failure" in made) return void (await fail(due, made.failure));
  const isOurs = await settle(due, made);
  if (!isOurs && made.copyId) await dropFile(made.copyId);
  return undefined;
}

async function wordsOf({ saleId, wordsKey: key }: Due): Promise<StampWords | null> {
  const [sale] = await db
    .select({ id: sales.id, customerName: sales.customerName, customerEmail: sales.customerEmail })
    .from(sales)
    .where(and(eq(sales.id, saleId!), inArray(sales.status, ["completed", "disputed"])));
  const words = sale && stampWords(sale);
  return words && wordsKey(words) === key ? words : null;
}

async function copyOr(due: Due, words: StampWords): Promise<Made> {
  const { sellerId, fileId, saleId, tries } = due;
  // What ended its worker each time is not begun once more.
  if (tries > MOST_TRIES && !(await isProven(due))) return { failure: "heavy" };
  const [file] = await db
    .select({ name: files.name, size: files.size })
    .from(files)
    .where(eq(files.id, fileId));
  if (!file) return { failure: "gone" };
  const begun = performance.now();
  try {
    const source = await storage.read(fileId, 0, file.size - 1);
    const copyId = await stampConfined(source, file.size, words, async ({ size, bytes }) =>
      saleId ? keepBytes(sellerId, { name: file.name, size, isCopy: true }, bytes) : null,
    );
    return { copyId, tookMs: Math.round(performance.now() - begun) };
  } catch (error) {
    return notMade(due, error);
  }
}

/**
 * What a failure means. Only what is the file's own fault has it given without a stamp: not that the disk is full or out of
 * reach, nor, once it was stamped, that a busy machine was late, a process died or some buyer's words could not be drawn.
 * @throws what may pass, to be tried again when the lease ends
 */
async function notMade(due: Due, error: unknown): Promise<Made> {
  const { fileId, tries } = due;
  if (error instanceof FileGone) return { failure: "gone" };
  if (error instanceof StorageFull) {
    log.error({ file: fileId }, "no room left for stamped files");
    return { again: PAUSE, counts: false };
  }
  if (error instanceof StorageAway) {
    log.error({ err: error, file: fileId }, "files to be stamped are out of reach");
    return { again: PAUSE, counts: false };
  }
  if (await isProven(due)) {
    log.error({ err: error, file: fileId, tries }, "stamp put off");
    return { again: Math.min(PAUSE * 2 ** Math.min(tries - 1, 10), LONGEST_PAUSE), counts: true };
  }
  if (error instanceof StampRefused) return { failure: error.kind };
  if (tries >= MOST_TRIES) return { failure: "heavy" };
  throw error;
}

/** Whether the file was stamped before, for a buyer or to try it. */
async function isProven({ fileId }: Due): Promise<boolean> {
  const [made] = await db
    .select({ id: stamps.id })
    .from(stamps)
    .where(and(eq(stamps.fileId, fileId), isNull(stamps.dueAt), isNull(stamps.failure)))
    .limit(1);
  return made !== undefined;
}

async function putOff(due: Due, { again, counts }: Extract<Made, { again: number }>): Promise<number> {
  await db
    .update(stamps)
    .set({
      dueAt: sql`now() + make_interval(secs => ${again / SECOND})`,
      tries: counts ? due.tries : due.tries - 1,
    })
    .where(stillOurs(due));
  return again;
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
async function settle(due: Due, { copyId, tookMs }: Extract<Made, { tookMs: number }>): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [done] = await tx
      .update(stamps)
      .set({ copyId, tookMs, failure: null, dueAt: null })
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
