import { and, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { stampedCopies } from "#app/db/schema/stamped-copies.server.ts";
import { DELAY_MAIL_AFTER, MAX_PAGE_WAIT } from "#app/domain/stamped-copy/limits.ts";
import { queueDelayedCopyMail } from "#app/domain/stamped-copy/queue-unstamped-mail.server.ts";
import { stampText, textKey } from "#app/domain/stamped-copy/stamp-text.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { FileMissing } from "#app/platform/storage/blob-store.ts";
import { storage } from "#app/platform/storage/storage.server.ts";
import { STAMPED_COPIES } from "#app/queue/names.ts";

/**
 * `unstamped`: it cannot be stamped, and is delivered as it is, since it was paid for; never because of a timeout. `missing`:
 * the file itself is not stored where it was. `size` in bytes.
 */
export type StampedCopy =
  | { state: "ready"; copyId: string; size: number; readyAt: Date }
  | { state: "preparing"; since: Date }
  | { state: "unstamped" }
  | { state: "missing" };

type CopyRequest = {
  sellerId: string;
  fileId: string;
  sale: { id: string; customerName: string | null; customerEmail: string | null };
};

const POLL_INTERVAL_MS = 100;

/** Copies that this process is waiting for. */
const waits = new Map<string, Promise<StampedCopy>>();

/**
 * A PDF with the text of a sale's buyer on each page. The first request for a text has it made, and each waits a moment,
 * which is enough for most. Concurrent requests share one wait, as it polls the database often.
 */
export function requestStampedCopy(request: CopyRequest): Promise<StampedCopy> {
  const key = textKey(stampText(request.sale));
  const name = `${request.sale.id}/${request.fileId}/${key}`;
  const running = waits.get(name);
  if (running) return running;
  const copy = awaitCopy(request, key).finally(() => waits.delete(name));
  waits.set(name, copy);
  return copy;
}

async function awaitCopy(request: CopyRequest, key: string): Promise<StampedCopy> {
  const until = Date.now() + MAX_PAGE_WAIT;
  for (;;) {
    const copy = await readCopy(request, key);
    if (copy.state !== "preparing") return copy;
    if (Date.now() > until) {
      if (copy.since.getTime() < Date.now() - DELAY_MAIL_AFTER)
        await db.transaction((tx) => queueDelayedCopyMail(tx, request.fileId));
      return copy;
    }
    await new Promise((later) => setTimeout(later, POLL_INTERVAL_MS));
  }
}

async function readCopy(request: CopyRequest, key: string): Promise<StampedCopy> {
  const { fileId, sale } = request;
  const [found] = await db
    .select({ row: stampedCopies, copy: files })
    .from(stampedCopies)
    .leftJoin(files, eq(files.id, stampedCopies.copyId))
    .where(
      and(
        eq(stampedCopies.saleId, sale.id),
        eq(stampedCopies.fileId, fileId),
        eq(stampedCopies.textKey, key),
      ),
    );
  if (!found) return startCopy(request, key);
  const { row, copy } = found;
  if (row.requestedAt.getTime() < Date.now() - DAY)
    await db.update(stampedCopies).set({ requestedAt: new Date() }).where(eq(stampedCopies.id, row.id));
  if (copy?.readyAt) return { state: "ready", copyId: copy.id, size: copy.size, readyAt: copy.readyAt };
  if (row.scheduledAt) return { state: "preparing", since: row.createdAt };
  if (row.failure !== "gone") return { state: "unstamped" };
  return (await isStored(fileId)) ? restartCopy(request.sellerId, row.id) : { state: "missing" };
}

/** @throws StorageUnavailable */
export async function isStored(fileId: string): Promise<boolean> {
  try {
    for await (const _ of await storage.read(fileId, 0, 0));
    return true;
  } catch (error) {
    if (error instanceof FileMissing) return false;
    throw error;
  }
}

/** The file was missing, and is back. */
async function restartCopy(sellerId: string, id: string): Promise<StampedCopy> {
  const since = new Date();
  await db.transaction(async (tx) => {
    const restarted = await tx
      .update(stampedCopies)
      .set({ failure: null, scheduledAt: sql`now()`, attempts: 0, createdAt: since })
      .where(and(ownById(stampedCopies, sellerId, id), eq(stampedCopies.failure, "gone")))
      .returning({ id: stampedCopies.id });
    if (restarted.length > 0) await notify(tx, "due", STAMPED_COPIES);
  });
  return { state: "preparing", since };
}

async function startCopy({ sellerId, fileId, sale }: CopyRequest, key: string): Promise<StampedCopy> {
  const [trial] = await db
    .select({ failure: stampedCopies.failure })
    .from(stampedCopies)
    .where(and(eq(stampedCopies.fileId, fileId), isNull(stampedCopies.saleId)));
  // A file that was missing then may be back.
  if (trial?.failure && trial.failure !== "gone") return { state: "unstamped" };
  await db.transaction(async (tx) => {
    const [inserted] = await tx
      .insert(stampedCopies)
      .values({ sellerId, fileId, saleId: sale.id, textKey: key, scheduledAt: sql`now()` })
      .onConflictDoNothing()
      .returning({ id: stampedCopies.id });
    if (inserted) await notify(tx, "due", STAMPED_COPIES);
  });
  return { state: "preparing", since: new Date() };
}

/** Deletes a copy whose bytes are missing; the next request makes it again. */
export async function deleteStampedCopy(copyId: string): Promise<void> {
  await db.delete(stampedCopies).where(eq(stampedCopies.copyId, copyId));
}
