import { and, eq, type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { destinations, outbox } from "#app/db/schema/outbox.server.ts";
import {
  AT_ONCE,
  isClaimedBy,
  LEASE,
  leaseEnd,
  type TakenNews,
} from "#app/domain/outbox/telling/claim-news.server.ts";
import { log } from "#app/platform/log.server.ts";
import { seal } from "#app/platform/secrets.server.ts";

/**
 * The last statement before a call: the claim is renewed, the try is counted, and what is sent is kept, so that every try
 * says the same. Where a destination hears of each thing sold by itself, the others become rows of their own behind this one.
 * @param drawn what is sent, this first; null where it was kept before
 * @returns whether it may be told: whoever slept since the claim must not, since another may have told it meanwhile
 */
export async function beginTry(taken: TakenNews, drawn: string[] | null): Promise<boolean> {
  const begun = performance.now();
  const claimedUntil = await renew(taken, drawn);
  if (!claimedUntil) {
    await giveBack(taken);
    return false;
  }
  taken.news.claimedUntil = claimedUntil;
  taken.news.attempts++;
  // The answer may have come late: what counts is how much of the claim is left by now.
  const isInTime = performance.now() - begun < LEASE / 4;
  if (!isInTime) await takeBack(taken);
  return isInTime;
}

/** An attempt that was counted and is not made. Whoever took the row over meanwhile keeps it. */
async function takeBack({ news }: TakenNews): Promise<void> {
  const isOurs = sql`${outbox.claimedUntil} = ${news.claimedUntil.toISOString()}::timestamptz`;
  await db
    .update(outbox)
    .set({
      attempts: sql`${outbox.attempts} - 1`,
      claimedUntil: sql`case when ${isOurs} then null else ${outbox.claimedUntil} end`,
      dueAt: sql`case when ${isOurs} then now() + interval '1 second' else ${outbox.dueAt} end`,
    })
    .where(
      and(
        eq(outbox.id, news.id),
        eq(outbox.status, "queued"),
        sql`${outbox.attempts} >= ${news.attempts}::int`,
      ),
    );
  news.attempts--;
}

/** Renews the claim while the call lasts. @returns how to stop */
export function sayAlive({ news }: TakenNews): () => Promise<void> {
  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renewing.then(() => prolong(news));
  }, LEASE / 4);
  return () => {
    clearInterval(timer);
    return renewing;
  };
}

async function prolong(news: TakenNews["news"]): Promise<void> {
  try {
    const [row] = await db
      .update(outbox)
      .set({ claimedUntil: leaseEnd, dueAt: leaseEnd })
      .where(isClaimedBy(news))
      .returning({ claimedUntil: outbox.claimedUntil });
    if (row) news.claimedUntil = row.claimedUntil!;
  } catch (err) {
    log.warn({ newsId: news.id, err }, "claim of news not renewed");
  }
}

async function renew(taken: TakenNews, drawn: string[] | null): Promise<Date | null> {
  const others = drawn?.slice(1) ?? [];
  if (others.length === 0) return set(db, taken, drawn);
  return db.transaction(async (tx) => {
    const claimedUntil = await set(tx, taken, drawn);
    if (claimedUntil)
      await tx
        .insert(outbox)
        .values(others.map((body, at) => partOf(taken, at + 1, body)))
        .onConflictDoNothing({ target: [outbox.destinationId, outbox.aboutId, outbox.event, outbox.part] });
    return claimedUntil;
  });
}

async function set(tx: Tx | typeof db, { news }: TakenNews, drawn: string[] | null): Promise<Date | null> {
  const [row] = await tx
    .update(outbox)
    .set({
      attempts: sql`${outbox.attempts} + 1`,
      claimedUntil: leaseEnd,
      dueAt: leaseEnd,
      ...(drawn ? { bodySealed: seal(drawn[0]!), clearedAt: null } : {}),
    })
    .where(
      and(
        isClaimedBy(news),
        sql`${outbox.claimedUntil} > now()`,
        isWanted(news),
        hasPlace(news),
        isAlone(news),
      ),
    )
    .returning({ claimedUntil: outbox.claimedUntil });
  return row?.claimedUntil ?? null;
}

/** Its destination may have been paused since it was taken. */
function isWanted({ destinationId }: TakenNews["news"]): SQL {
  return sql`exists (select from ${destinations} d where d.id = ${destinationId} and d.stopped_at is null)`;
}

/** Two that claim in the same moment do not see each other's: here the first ones go on. */
function hasPlace({ id, destinationId, triedAt }: TakenNews["news"]): SQL {
  return sql`(select count(*) from ${outbox} o where o.destination_id = ${destinationId} and o.status = 'queued'
    and o.claimed_until > now() and (o.tried_at, o.id) < (${triedAt!.toISOString()}::timestamptz, ${id}::uuid)) < ${AT_ONCE}::int`;
}

/** Two that claim in the same moment may each take one of the same subject: the first one goes on. */
function isAlone({ id, destinationId, subjectId, triedAt }: TakenNews["news"]): SQL {
  return sql`not exists (select from ${outbox} o where o.destination_id = ${destinationId} and o.subject_id = ${subjectId}
    and o.status = 'queued' and o.claimed_until > now()
    and (o.tried_at, o.id) < (${triedAt!.toISOString()}::timestamptz, ${id}::uuid))`;
}

/** Where it is still ours it is judged anew in a moment. */
async function giveBack({ news }: TakenNews): Promise<void> {
  await db
    .update(outbox)
    .set({ claimedUntil: null, dueAt: sql`now() + interval '1 second'` })
    .where(isClaimedBy(news));
}

function partOf({ news }: TakenNews, part: number, body: string) {
  const { place, destinationId, sellerId, saleId, subjectId, aboutId, event, createdAt, requestId } = news;
  return {
    ...{ place, destinationId, sellerId, saleId, subjectId, aboutId, event, createdAt, requestId },
    part,
    bodySealed: seal(body),
    // It is woken when the one before it ends.
    dueAt: sql`now() + interval '1 minute'`,
  };
}
