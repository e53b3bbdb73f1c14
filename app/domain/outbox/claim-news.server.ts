import { and, eq, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { destinations, outbox } from "#app/db/schema/outbox.server.ts";
import type { Destination } from "#app/domain/outbox/destination.ts";
import { DESTINATIONS } from "#app/domain/outbox/destinations.server.ts";
import { SECOND } from "#app/kit/duration.ts";

/** Longer than a call may take: a claim that outlives it belonged to a process that died. */
const CLAIM_FOR = 30 * SECOND;
/** How many calls of one destination may be under way: a slow one takes no more of the workers' places. */
const AT_ONCE = 3;

type DestinationRow = typeof destinations.$inferSelect;
type NewsRow = typeof outbox.$inferSelect;

/** News that somebody has taken upon themselves to tell. */
export type ClaimedNews = Omit<NewsRow, "claimedUntil"> & {
  /** What the claim is known by: nobody else's claim of this row ends at the same moment. */
  claimedUntil: Date;
};

/** The one piece of news of a subject that may be told now; `wait`: not before then. */
export type NewsClaim =
  | { kind: "news"; news: ClaimedNews; destination: DestinationRow }
  | { kind: "wait"; until: Date }
  | { kind: "nothing" };

/**
 * Takes the oldest news of a subject that a destination is still to be told. One at a time for each subject, and in order:
 * what is to be tried again holds up what came after it. What became pointless is ended here, with its reason.
 */
export function claimNews(destinationId: string, subjectId: string, now: Date): Promise<NewsClaim> {
  return db.transaction(async (tx) => {
    const [destination] = await tx
      .select()
      .from(destinations)
      .where(eq(destinations.id, destinationId))
      .for("no key update");
    if (!destination) return { kind: "nothing" };
    const kind = DESTINATIONS[destination.kind];
    const queued = await tx
      .select()
      .from(outbox)
      .where(
        and(
          eq(outbox.destinationId, destinationId),
          eq(outbox.subjectId, subjectId),
          eq(outbox.status, "queued"),
        ),
      )
      .orderBy(outbox.place, outbox.part);
    const held = queued.find(({ claimedUntil }) => claimedUntil && claimedUntil > now);
    if (held) return { kind: "wait", until: held.claimedUntil! };
    const next = await endPointless(tx, queued, { stopped: destination.stoppedAt !== null, kind, now });
    if (!next) return { kind: "nothing" };
    const rest = later(next.nextAt, destination.restUntil);
    if (rest && rest > now) return { kind: "wait", until: rest };
    if ((await countClaimed(tx, destinationId, now)) >= AT_ONCE)
      return { kind: "wait", until: new Date(now.getTime() + (2 + 8 * Math.random()) * SECOND) };
    const claim = {
      attempts: next.attempts + 1,
      triedAt: now,
      claimedUntil: new Date(now.getTime() + CLAIM_FOR),
    };
    await tx.update(outbox).set(claim).where(eq(outbox.id, next.id));
    return { kind: "news", news: { ...next, ...claim }, destination };
  });
}

/** Ends what is no use telling. @returns the first that is */
async function endPointless(
  tx: Tx,
  queued: NewsRow[],
  { stopped, kind, now }: { stopped: boolean; kind: Destination; now: Date },
): Promise<NewsRow | undefined> {
  for (const news of queued) {
    const age = now.getTime() - news.createdAt.getTime();
    if (stopped) await end(tx, news, { status: "dropped", why: "stopped" });
    else if (age > kind.tellWithin(news.event)) await end(tx, news, { status: "too_late", why: news.why });
    // Whoever made the last try died before they could say how it went.
    else if (news.attempts > kind.pauses.length) await end(tx, news, { status: "refused", why: "lost" });
    else return news;
  }
  return undefined;
}

async function end(
  tx: Tx,
  { id }: NewsRow,
  how: { status: "dropped" | "too_late" | "refused"; why: string | null },
): Promise<void> {
  await tx
    .update(outbox)
    .set({ ...how, claimedUntil: null, nextAt: null })
    .where(eq(outbox.id, id));
}

async function countClaimed(tx: Tx, destinationId: string, now: Date): Promise<number> {
  const [row] = await tx
    .select({ n: sql<number>`count(*)::int` })
    .from(outbox)
    .where(
      and(
        eq(outbox.destinationId, destinationId),
        eq(outbox.status, "queued"),
        sql`${outbox.claimedUntil} > ${now.toISOString()}::timestamptz`,
      ),
    );
  return row!.n;
}

/**
 * Whether a claim still holds, asked when nothing is left to do but the call; it then holds for as long as a call may take.
 * Who slept since the claim must not call: another may have told it meanwhile.
 */
export async function keepClaim(news: ClaimedNews): Promise<boolean> {
  const now = new Date();
  if (news.claimedUntil <= now) return false;
  const claimedUntil = new Date(now.getTime() + CLAIM_FOR);
  const kept = await db
    .update(outbox)
    .set({ claimedUntil })
    .where(isClaimedBy(news))
    .returning({ id: outbox.id });
  // The answer may have come late: what counts is how much of the claim is left by now.
  if (kept.length === 0 || Date.now() - now.getTime() > CLAIM_FOR / 4) return false;
  news.claimedUntil = claimedUntil;
  return true;
}

/** The row for as long as nobody else took it, nor said how it ended. */
export function isClaimedBy({ id, claimedUntil }: ClaimedNews) {
  return and(eq(outbox.id, id), eq(outbox.claimedUntil, claimedUntil), eq(outbox.status, "queued"));
}

function later(a: Date | null, b: Date | null): Date | null {
  if (!a || !b) return a ?? b;
  return a > b ? a : b;
}
