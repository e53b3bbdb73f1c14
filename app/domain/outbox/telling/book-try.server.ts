import { eq, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { destinations, outbox } from "#app/db/schema/outbox.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import type { Destination } from "#app/domain/outbox/destination.ts";
import { stopDestination } from "#app/domain/outbox/stop-destination.server.ts";
import {
  AT_ONCE_WHILE_FAILING,
  type ClaimedNews,
  isClaimedBy,
} from "#app/domain/outbox/telling/claim-news.server.ts";
import { addWaking, endAsTold } from "#app/domain/outbox/telling/end-news.server.ts";
import type { Tried } from "#app/domain/outbox/telling/make-call.server.ts";
import { givesWay } from "#app/domain/outbox/telling/why-pointless.server.ts";
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

/** Says how a try ended, in the row and of its destination. @returns whether other news became due by that */
export async function bookTry(ended: Ended): Promise<boolean> {
  const { news, tried } = ended;
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
  return isTaken ? endAsTold(news, heard(ended)) : bookFailure(ended);
}

async function bookFailure(ended: Ended): Promise<boolean> {
  const { news, kind, tried, now } = ended;
  const { verdict } = tried;
  const pause = verdict.result === "again" ? kind.pauses[news.attempts - 1] : undefined;
  const retryAt = pause === undefined ? null : new Date(now.getTime() + waitOf(pause, verdict.restMs));
  return db.transaction(async (tx) => {
    // Their state depends on what it was: failures of one destination are booked one by one.
    const [destination] = await tx
      .select()
      .from(destinations)
      .where(eq(destinations.id, news.destinationId))
      .for("no key update");
    if (!destination) return false;
    const isReplaced = verdict.result === "again" && (await givesWay(tx, news, kind));
    const nextAt = isReplaced ? null : retryAt;
    const status = isReplaced ? ("dropped" as const) : ("refused" as const);
    const said = { ...heard(ended), ...(nextAt ? { nextAt, dueAt: nextAt } : { status, nextAt }) };
    // Where the claim was lost, whoever took it over says how it went.
    const booked = await tx.update(outbox).set(said).where(isClaimedBy(news)).returning({ id: outbox.id });
    if (booked.length === 0) return false;
    await noteFailed(tx, destination, now, verdict.restMs);
    // Whoever tries a token out is looking at the answer.
    const isTried = verdict.why === "token" && news.saleId === null;
    if (!isTried) await stopWhereOver(tx, destination, ended, nextAt);
    const statement = new Statement();
    const woken = addWaking(statement, news, { next: nextAt === null, atOnce: AT_ONCE_WHILE_FAILING });
    const rows = await tx.execute(statement.selectFrom(woken, sql`id`));
    return rows.length > 0;
  });
}

type Row = typeof destinations.$inferSelect;

async function stopWhereOver(tx: Tx, destination: Row, { kind, tried, now }: Ended, nextAt: Date | null) {
  const { result, why } = tried.verdict;
  if (result === "gone") return stopDestination(tx, destination, why === "token" ? "token" : "gone");
  const since = destination.failingSince ?? now;
  const isLong = kind.stopAfter !== null && now.getTime() - since.getTime() >= kind.stopAfter;
  if (!nextAt && isLong) await stopDestination(tx, destination, "failing");
}

/** Up to a tenth longer: what failed together does not come back together. Their own wish counts up to a day. */
function waitOf(pause: number, restMs = 0): number {
  return Math.max(pause * (1 + 0.1 * Math.random()), Math.min(restMs, DAY));
}

function heard({ news, tried: { verdict, status, body, ms }, now }: Ended) {
  const entry = { at: now.toISOString(), result: verdict.why, status, ms };
  return {
    why: verdict.why,
    responseStatus: status,
    responseBody: body,
    tries: [...news.tries, entry].slice(-TRIES_KEPT),
    claimedUntil: null,
  };
}

async function noteFailed(tx: Tx, row: Row, now: Date, restMs = 0): Promise<void> {
  const restUntil = restMs > 0 ? new Date(now.getTime() + Math.min(restMs, DAY)) : row.restUntil;
  await tx
    .update(destinations)
    .set({ restUntil, failingSince: row.failingSince ?? now })
    .where(eq(destinations.id, row.id));
}
