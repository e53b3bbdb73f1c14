import { and, eq, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { destinations, outbox } from "#app/db/schema/outbox.server.ts";
import { type ClaimedNews, isClaimedBy } from "#app/domain/outbox/claim-news.server.ts";
import type { Destination, Unsaid } from "#app/domain/outbox/destination.ts";
import type { Tried } from "#app/domain/outbox/make-call.server.ts";
import { stopDestination } from "#app/domain/outbox/stop-destination.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";

type Ended = {
  news: ClaimedNews;
  kind: Destination;
  tried: Tried;
  /** When the try began. */
  now: Date;
};

/** How many tries of one piece of news are remembered. */
const TRIES_KEPT = 30;

/** Says how a try ended, in the row and of its destination. @returns when to try again; null where nothing more is to be tried */
export async function bookTry({ news, kind, tried, now }: Ended): Promise<Date | null> {
  const { verdict, status } = tried;
  const about = {
    newsId: news.id,
    destinationId: news.destinationId,
    event: news.event,
    attempt: news.attempts,
  };
  const isTaken = verdict.result === "taken";
  log[isTaken ? "info" : "warn"](
    { ...about, status, why: verdict.why },
    isTaken ? "news told" : "news not told",
  );
  const pause = verdict.result === "again" ? kind.pauses[news.attempts - 1] : undefined;
  const nextAt = pause === undefined ? null : new Date(now.getTime() + waitOf(pause, verdict.restMs));
  await db.transaction(async (tx) => {
    // The destination before its news, as claiming locks them; and it may have changed during the call.
    const [destination] = await tx
      .select()
      .from(destinations)
      .where(eq(destinations.id, news.destinationId))
      .for("no key update");
    if (!destination) return;
    const end = isTaken ? "sent" : nextAt ? "queued" : "refused";
    if (!(await book(tx, news, tried, now, { status: end, nextAt }))) return;
    if (isTaken) return noteReached(tx, destination);
    await noteFailed(tx, destination, now, verdict.restMs);
    // Whoever tries a token out is looking at the answer.
    if (verdict.why === "token" && news.saleId === null) return;
    if (verdict.result === "gone")
      return stopDestination(tx, destination, verdict.why === "token" ? "token" : "gone");
    const since = destination.failingSince ?? now;
    const isLong = kind.stopAfter !== null && now.getTime() - since.getTime() >= kind.stopAfter;
    if (end === "refused" && isLong) await stopDestination(tx, destination, "failing");
  });
  return nextAt;
}

/** Ends what there is nothing to say of. */
export async function dropNews(news: ClaimedNews, { unsaid }: Unsaid): Promise<void> {
  await db
    .update(outbox)
    .set({ status: "dropped", why: unsaid, claimedUntil: null, nextAt: null })
    .where(isClaimedBy(news));
}

/** Up to a tenth longer: what failed together does not come back together. Their own wish counts up to a day. */
function waitOf(pause: number, restMs = 0): number {
  return Math.max(pause * (1 + 0.1 * Math.random()), Math.min(restMs, DAY));
}

/**
 * In the row, unless the claim was lost meanwhile: then whoever took it over says so. But what was taken is taken, whoever
 * holds the claim by now. @returns whether it said
 */
async function book(
  tx: Tx,
  news: ClaimedNews,
  { verdict, status, body, ms }: Tried,
  now: Date,
  outcome: { status: "sent" | "queued" | "refused"; nextAt: Date | null },
): Promise<boolean> {
  const entry = { at: now.toISOString(), result: verdict.why, status, ms };
  const said = await tx
    .update(outbox)
    .set({
      ...outcome,
      why: verdict.why,
      responseStatus: status,
      responseBody: body,
      tries: [...news.tries, entry].slice(-TRIES_KEPT),
      claimedUntil: null,
    })
    .where(
      verdict.result === "taken"
        ? and(eq(outbox.id, news.id), sql`${outbox.status} <> 'sent'`)
        : isClaimedBy(news),
    )
    .returning({ id: outbox.id });
  return said.length > 0;
}

type Row = typeof destinations.$inferSelect;

async function noteReached(tx: Tx, { id, failingSince, restUntil }: Row): Promise<void> {
  if (failingSince === null && restUntil === null) return;
  await tx.update(destinations).set({ failingSince: null, restUntil: null }).where(eq(destinations.id, id));
}

async function noteFailed(tx: Tx, row: Row, now: Date, restMs = 0): Promise<void> {
  const restUntil = restMs > 0 ? new Date(now.getTime() + Math.min(restMs, DAY)) : row.restUntil;
  await tx
    .update(destinations)
    .set({ restUntil, failingSince: row.failingSince ?? now })
    .where(eq(destinations.id, row.id));
}
