import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { byNow } from "#app/db/columns.server.ts";
import { destinations, outbox } from "#app/db/schema/outbox.server.ts";
import { ORDER_KEEPERS } from "#app/domain/outbox/destinations.server.ts";
import { SECOND } from "#app/kit/duration.ts";

/** Whoever took news and said nothing for so long is taken for dead. */
export const LEASE = 10 * SECOND;
export const leaseEnd = sql`now() + make_interval(secs => ${sql.raw(String(LEASE / SECOND))})`;
/** How many calls of one destination may be under way: a slow one takes no more of the workers' places. */
export const AT_ONCE = 3;
/** Nothing got there lately: it is asked one by one. */
export const AT_ONCE_WHILE_FAILING = 1;
/** More than are taken: of a pile that waits for one destination, one look puts off so many. */
const LOOKED_AT = 200;
/** Should nobody wake it, what waits for other news is looked at again after as long as it is old, within these bounds. */
const BEHIND = 5 * SECOND;
const FULL = 30 * SECOND;
const LATEST = 900 * SECOND;

type DestinationRow = typeof destinations.$inferSelect;
type NewsRow = typeof outbox.$inferSelect;

/** News that somebody has taken upon themselves to tell. */
export type ClaimedNews = Omit<NewsRow, "claimedUntil"> & {
  /** What the claim is known by: nobody else's claim of this row ends at the same moment. */
  claimedUntil: Date;
};

/** It, with whom it is for. */
export type TakenNews = { news: ClaimedNews; destination: DestinationRow };

/** To whom something is to be told, and of what. */
export type Addressed = { destinationId: string; subjectId: string };

/** Takes news that may be told, the longest due first. What may not be told yet is put off, and what no longer may is ended. */
export async function claimNews(most: number): Promise<TakenNews[]> {
  const due = sql`due_at <= ${byNow} order by due_at limit ${sql.raw(String(LOOKED_AT))}`;
  const taken: TakenNews[] = [];
  let looked: number;
  do {
    const judged = await claim(due, most - taken.length);
    looked = judged.length;
    taken.push(...judged.filter(isTaken));
  } while (looked === LOOKED_AT && taken.length < most);
  return taken;
}

/** The same of one subject, for who wants to tell it at once: also what is not due for a worker yet. */
export async function claimSubject({ destinationId, subjectId }: Addressed): Promise<TakenNews | null> {
  const own = sql`destination_id = ${destinationId} and subject_id = ${subjectId} order by place, part limit 50`;
  const judged = await claim(own, 1);
  return judged.find(isTaken) ?? null;
}

type Verdict = "free" | "stopped" | "later" | "behind" | "full";
type Judged = { news: NewsRow; destination: DestinationRow; verdict: Verdict };

function isTaken(one: Judged): one is Judged & TakenNews {
  return one.verdict === "free";
}

/**
 * Of each subject one row at a time, in order: what is to be tried again holds up what came after it, but where the later
 * says all that the earlier would. Of each destination no
 * more than may be called at once; `beginTry` looks at that again, since several may claim in the same moment.
 * @param which of the queued rows, with their order and limit
 */
function claim(which: SQL, most: number): Promise<Judged[]> {
  const judged = sql`(
    with candidates as materialized (
      select id, destination_id, subject_id, place, part, due_at, next_at, claimed_until from ${outbox}
      where status = 'queued' and ${which} for update skip locked
    ), addressed as materialized (
      select d.id, d.kind, d.stopped_at, d.rest_until,
        case when d.failing_since is null then ${AT_ONCE}::int else ${AT_ONCE_WHILE_FAILING}::int end
          - (select count(*) from ${outbox} o where o.destination_id = d.id and o.status = 'queued'
            and o.claimed_until > now()) as places
      from ${destinations} d where d.id in (select destination_id from candidates)
    ), told as materialized (
      select c.*, d.places, greatest(c.next_at, c.claimed_until, d.rest_until) as wait_until,
        case
          when d.stopped_at is not null then 'stopped'
          when greatest(c.next_at, c.claimed_until, d.rest_until) > now() then 'later'
          when exists (select from ${outbox} o where o.destination_id = c.destination_id
            and o.subject_id = c.subject_id and o.status = 'queued' and o.id <> c.id
            and (o.claimed_until > now() or ((o.place, o.part) < (c.place, c.part)
              and not (d.kind = any(${ORDER_KEEPERS}) and coalesce(o.next_at > now(), false))))) then 'behind'
          else 'free' end as verdict
      from candidates c inner join addressed d on d.id = c.destination_id
    ), placed as (
      select id, destination_id, wait_until, due_at, case when verdict = 'free' and places
        < row_number() over (partition by destination_id, verdict order by place, part) then 'full' else verdict end as verdict
      from told
    )
    select *, row_number() over (partition by verdict order by due_at) as nth from placed
  )`;
  const verdict = (is: Verdict) => sql`v.verdict = ${sql.raw(`'${is}'`)}`;
  const soonest = sql`case when ${verdict("full")} then ${FULL / SECOND}::int else ${BEHIND / SECOND}::int end`;
  const age = sql`least(greatest(extract(epoch from now() - ${outbox.createdAt}), ${soonest}), ${LATEST / SECOND}::int)`;
  return db
    .update(outbox)
    .set({
      status: sql`case when ${verdict("stopped")} then 'dropped' else ${outbox.status} end`,
      why: sql`case when ${verdict("stopped")} then 'stopped' else ${outbox.why} end`,
      nextAt: sql`case when ${verdict("stopped")} then null else ${outbox.nextAt} end`,
      claimedUntil: sql`case when ${verdict("free")} then ${leaseEnd} when ${verdict("later")} then ${outbox.claimedUntil} end`,
      triedAt: sql`case when ${verdict("free")} then now() else ${outbox.triedAt} end`,
      parkedAt: sql`case when ${verdict("full")} then now() end`,
      dueAt: sql`case when ${verdict("free")} then ${leaseEnd} when ${verdict("later")} then v.wait_until
        else now() + make_interval(secs => ${age} * (1 + random())) end`,
    })
    .from(sql`${judged} v`)
    .innerJoin(destinations, sql`${destinations.id} = v.destination_id`)
    .where(sql`${outbox.id} = v.id and (v.verdict <> 'free' or v.nth <= ${most})`)
    .returning({
      news: getTableColumns(outbox),
      destination: getTableColumns(destinations),
      verdict: sql<Verdict>`v.verdict`,
    });
}

/** The row for as long as nobody else took it, nor said how it ended. */
export function isClaimedBy({ id, claimedUntil }: ClaimedNews) {
  return and(eq(outbox.id, id), eq(outbox.claimedUntil, claimedUntil), eq(outbox.status, "queued"));
}
