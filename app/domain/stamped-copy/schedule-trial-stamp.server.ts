import { and, eq, isNull, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { stampedCopies } from "#app/db/schema/stamped-copies.server.ts";
import { STAMP_FAILURE_TEXTS } from "#app/domain/stamped-copy/stamp-failure-texts.ts";
import { SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { STAMPED_COPIES } from "#app/queue/names.ts";

const MAX_WAIT = 8 * SECOND;
const POLL_INTERVAL_MS = 150;

/** Schedules a trial stamp that tells whether a PDF can be stamped; once per file, and again where it was missing then. */
export async function scheduleTrialStamp(tx: Tx, sellerId: string, fileId: string): Promise<void> {
  const [inserted] = await tx
    .insert(stampedCopies)
    .values({ sellerId, fileId, scheduledAt: sql`now()` })
    .onConflictDoUpdate({
      target: stampedCopies.fileId,
      targetWhere: isNull(stampedCopies.saleId),
      set: { failure: null, scheduledAt: sql`now()`, attempts: 0, createdAt: sql`now()` },
      setWhere: and(eq(stampedCopies.failure, "gone"), eq(stampedCopies.sellerId, sellerId)),
    })
    .returning({ id: stampedCopies.id });
  if (inserted) await notify(tx, "due", STAMPED_COPIES);
}

/**
 * Schedules a trial stamp and waits for its result. If that takes too long, the seller is notified later.
 * @throws Refusal invalid, at the switch, where the file cannot be stamped
 */
export async function refuseUnstampable(sellerId: string, fileId: string): Promise<void> {
  await db.transaction((tx) => scheduleTrialStamp(tx, sellerId, fileId));
  for (const until = Date.now() + MAX_WAIT; Date.now() < until; ) {
    const [trial] = await db
      .select({ scheduledAt: stampedCopies.scheduledAt, failure: stampedCopies.failure })
      .from(stampedCopies)
      .where(
        and(
          eq(stampedCopies.fileId, fileId),
          isNull(stampedCopies.saleId),
          eq(stampedCopies.sellerId, sellerId),
        ),
      );
    if (trial?.failure) throw new Refusal("invalid", STAMP_FAILURE_TEXTS[trial.failure], "stamp");
    if (!trial?.scheduledAt) return;
    await new Promise((later) => setTimeout(later, POLL_INTERVAL_MS));
  }
}
