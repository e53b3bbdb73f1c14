import { isDeepStrictEqual } from "node:util";
import { eq, type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import type { AttemptResult, SendingKind } from "#app/domain/delivery/destination.ts";
import { type ClaimedDelivery, isClaimedBy } from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { endAsSent, isSuperseded, unlessCleared } from "#app/domain/delivery/sending/end-delivery.server.ts";
import { openDestination } from "#app/domain/delivery/sending/open-destination.server.ts";
import { stopIfFailing } from "#app/domain/delivery/sending/stop-destination.server.ts";
import { type EndedColumn, MAX_CALLS_WHILE_FAILING, wakeNext } from "#app/domain/delivery/waiting.server.ts";
import { DAY, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";

type Row = typeof destinations.$inferSelect;

type EndedAttempt = {
  delivery: ClaimedDelivery;
  /** The destination as it was called. */
  destination: Row;
  kind: SendingKind;
  /** What was sent. */
  body: string;
  outcome: AttemptResult;
  /** When the attempt began. */
  now: Date;
};

/** Attempts stored in the log of one delivery. */
const MAX_LOGGED_ATTEMPTS = 30;

/**
 * Records an attempt's result, in the delivery and its destination. @returns whether other deliveries became due by that
 */
export async function recordAttempt(ended: EndedAttempt): Promise<boolean> {
  const { delivery, outcome } = ended;
  const { verdict, status } = outcome;
  const logFields = {
    deliveryId: delivery.id,
    destinationId: delivery.destinationId,
    event: delivery.event,
    attempt: delivery.attempts,
  };
  const isDelivered = verdict.result === "taken";
  log[isDelivered ? "info" : "warn"](
    { ...logFields, status, reason: verdict.reason },
    isDelivered ? "delivery sent" : "delivery not sent",
  );
  if (!isDelivered) return recordFailure(ended);
  return endAsSent({ delivery, destination: ended.destination, attempt: attemptColumns(ended) });
}

async function recordFailure(ended: EndedAttempt): Promise<boolean> {
  const { delivery, kind, outcome, now } = ended;
  const { verdict } = outcome;
  const delay = verdict.result === "again" ? kind.retryDelays[delivery.attempts - 1] : undefined;
  const retryAt = delay === undefined ? null : msFromNow(jitteredDelay(delay, verdict.retryAfterMs));
  return db.transaction(async (tx) => {
    // The next state depends on the current one, so failures of one destination are recorded one by one.
    const [destination] = await tx
      .select()
      .from(destinations)
      .where(eq(destinations.id, delivery.destinationId))
      .for("no key update");
    if (!destination) return false;
    const isReplaced = verdict.result === "again" && (await isSuperseded(tx, delivery, kind));
    // The previous receiver failed. That says nothing about the current one, which has not been called yet.
    const isOther = isOtherReceiver(ended, destination);
    const retriesNow = isOther && !isTest(delivery);
    const nextAttemptAt = isReplaced ? null : retriesNow ? msFromNow(0) : retryAt;
    const status = isReplaced ? ("dropped" as const) : ("refused" as const);
    const columns = {
      ...attemptColumns(ended),
      responseBody: unlessCleared(sql`${outcome.body}::text`),
      leasedUntil: null,
      ...(nextAttemptAt ? { nextAttemptAt, scheduledAt: nextAttemptAt } : { status, nextAttemptAt }),
      // It has all its retries, and nothing was opened there.
      ...(nextAttemptAt && retriesNow && { attempts: 0 }),
    };
    // If the lease was lost, whoever took the row over records the result.
    const updated = await tx
      .update(deliveries)
      .set(columns)
      .where(isClaimedBy(delivery))
      .returning({ id: deliveries.id });
    if (updated.length === 0) return false;
    if (!isOther) {
      if (!isTest(delivery)) await markFailing(tx, destination, now, verdict.retryAfterMs);
      const isRepeated = nextAttemptAt !== null;
      await stopIfFailing(tx, destination, { kind, outcome, now, isTest: isTest(delivery), isRepeated });
    }
    const statement = new Statement();
    const { id, sellerId, destinationId, subjectId } = delivery;
    const recorded = statement.add<EndedColumn>(
      "recorded",
      sql`select ${id}::uuid as id, ${sellerId}::uuid as seller_id, ${destinationId}::uuid as destination_id,
        ${subjectId}::uuid as subject_id`,
    );
    const isMore = await wakeNext(tx, statement, recorded, {
      // A record of the order's newer state does not wait for a retry.
      next: nextAttemptAt === null || kind.orderRanks !== undefined,
      atOnce: MAX_CALLS_WHILE_FAILING,
    });
    return isMore || retriesNow;
  });
}

/**
 * Whether the seller saved another address, token or secret while the attempt lasted, or anything else than its name that its
 * next attempt may be sent by: with other classes or another format it may succeed at once, too.
 */
function isOtherReceiver({ destination, now }: EndedAttempt, current: Row): boolean {
  const [called, saved] = [destination, current].map((row) => {
    const to = openDestination(row, now);
    // `known`, the classes to choose from, is what a test of the connection found.
    return { ...to, name: null, settings: { ...(to.settings as object), known: null } };
  });
  return !isDeepStrictEqual(called, saved);
}

/** By the database's clock, which claims compare with. Not rounded up: that would be a moment later. */
function msFromNow(ms: number): SQL {
  return sql`date_trunc('milliseconds', now()) + make_interval(secs => ${ms / SECOND})`;
}

function isTest({ saleId }: ClaimedDelivery): boolean {
  return saleId === null;
}

/**
 * Adds up to a tenth, so that deliveries that failed together are not retried together. `retryAfterMs` counts up to a day.
 */
function jitteredDelay(delay: number, retryAfterMs = 0): number {
  return Math.max(delay * (1 + 0.1 * Math.random()), Math.min(retryAfterMs, DAY));
}

function attemptColumns(ended: EndedAttempt) {
  const { delivery, outcome, now } = ended;
  const { verdict, status, ms } = outcome;
  const opened = listOpened(ended);
  const entry = {
    ...{ at: now.toISOString(), result: verdict.reason, status, ms },
    ...(opened.length > 0 ? { opened } : {}),
  };
  return {
    reason: verdict.reason,
    responseStatus: status,
    responseBody: outcome.body,
    attemptLog: [...delivery.attemptLog, entry].slice(-MAX_LOGGED_ATTEMPTS),
  };
}

/** The classes that an opening opened, or may have. */
function listOpened({ delivery, kind, body, outcome }: EndedAttempt): number[] {
  const isOpening = delivery.event === "access.granted" && !isTest(delivery);
  if (!kind.openedBy || !isOpening || outcome.verdict.reason === "rejected") return [];
  return [...new Set(kind.openedBy(body).flatMap(({ ids }) => ids))];
}

async function markFailing(tx: Tx, row: Row, now: Date, retryAfterMs = 0): Promise<void> {
  const backoffUntil = retryAfterMs > 0 ? msFromNow(Math.min(retryAfterMs, DAY)) : row.backoffUntil;
  await tx
    .update(destinations)
    .set({ backoffUntil, failingSince: row.failingSince ?? now })
    .where(eq(destinations.id, row.id));
}
