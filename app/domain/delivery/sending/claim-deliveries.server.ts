import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { nowRoundedUp } from "#app/db/columns.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import { ORDER_RECORD_KINDS } from "#app/domain/delivery/destinations.server.ts";
import { SECOND } from "#app/kit/duration.ts";

/** A worker that has not renewed its lease for this long is considered dead. */
export const LEASE = 10 * SECOND;
export const leaseEnd = sql`now() + make_interval(secs => ${sql.raw(String(LEASE / SECOND))})`;
/** Concurrent calls per destination, so that a slow one does not occupy the workers. */
export const MAX_CALLS = 3;
/** The same while it is failing, as `claim` counts them. Claims of the same moment may make up to `MAX_CALLS` together. */
export const MAX_CALLS_WHILE_FAILING = 1;
/**
 * How many rows a statement reads. More than are claimed at once, so that a backlog of one destination, most of which can only
 * be postponed, is soon out of the way.
 */
const BATCH_SIZE = 200;
/**
 * If nothing wakes a delivery that waits for others, it is checked again after a pause: its own age, at least the first of
 * these (blocked) or the second (full) and at most the third, times a random number from 1 to 2.
 */
const BLOCKED_RECHECK = 5 * SECOND;
const FULL_RECHECK = 30 * SECOND;
const MAX_RECHECK = 900 * SECOND;

// The moments by which a delivery waits:
// `scheduledAt`: when a worker reads the row next, whatever it waits for; the queue is ordered by it.
// `nextAttemptAt`: when the attempt after a failed one is due, as its seller sees it; null where none is.
// `leasedUntil`: a worker is sending it until then; null, or past, where none is.
// `backoffUntil`, of the destination: it answered that it takes nothing before then.

type DestinationRow = typeof destinations.$inferSelect;
type DeliveryRow = typeof deliveries.$inferSelect;

/** A delivery that a worker has leased. */
export type ClaimedDelivery = Omit<DeliveryRow, "leasedUntil"> & {
  /** Identifies the claim: no other claim of this row ends at the same moment. */
  leasedUntil: Date;
};

/** A claimed delivery with its destination. */
export type DeliveryWithDestination = { delivery: ClaimedDelivery; destination: DestinationRow };

/** A destination and the subject whose deliveries are meant. */
export type DeliverySubject = { destinationId: string; subjectId: string };

/**
 * Claims deliveries that may be sent, the longest scheduled first. Postpones those that may not be sent yet, and ends those
 * that no longer may.
 */
export async function claimDeliveries(max: number): Promise<DeliveryWithDestination[]> {
  const scheduled = sql`scheduled_at <= ${nowRoundedUp} order by scheduled_at limit ${sql.raw(String(BATCH_SIZE))}`;
  const claimed: DeliveryWithDestination[] = [];
  let checkedCount: number;
  do {
    const judged = await claim(scheduled, max - claimed.length);
    checkedCount = judged.length;
    claimed.push(...judged.filter(isClaimed));
  } while (checkedCount === BATCH_SIZE && claimed.length < max);
  return claimed;
}

/** Claims the next delivery of a subject, for a caller that sends at once: also one that is not scheduled for a worker yet. */
export async function claimNextOfSubject({
  destinationId,
  subjectId,
}: DeliverySubject): Promise<DeliveryWithDestination | null> {
  const own = sql`destination_id = ${destinationId} and subject_id = ${subjectId} order by sequence, part limit 50`;
  const judged = await claim(own, 1);
  return judged.find(isClaimed) ?? null;
}

/** `full`: as many calls of its destination as are allowed are in flight; it is parked until one ends (`parkedAt`). */
type Verdict = "free" | "stopped" | "later" | "blocked" | "full";
type Judged = { delivery: DeliveryRow; destination: DestinationRow; verdict: Verdict };

function isClaimed(one: Judged): one is Judged & DeliveryWithDestination {
  return one.verdict === "free";
}

/**
 * First in, first out per subject. A pending retry blocks later events, unless the destination accepts a newer state in its
 * place. Several may claim in the same moment, so `beginAttempt` counts the calls again, but up to `MAX_CALLS` for a failing
 * destination too.
 * @param which of the queued rows, with their order and limit
 */
function claim(which: SQL, max: number): Promise<Judged[]> {
  const judged = sql`(
    with candidates as materialized (
      select id, destination_id, subject_id, sequence, part, scheduled_at, next_attempt_at, leased_until from ${deliveries}
      where status = 'queued' and ${which} for update skip locked
    ), addressed as materialized (
      select d.id, d.kind, d.stopped_at, d.backoff_until,
        case when d.failing_since is null then ${MAX_CALLS}::int else ${MAX_CALLS_WHILE_FAILING}::int end
          - (select count(*) from ${deliveries} o where o.destination_id = d.id and o.status = 'queued'
            and o.leased_until > now()) as free_calls
      from ${destinations} d where d.id in (select destination_id from candidates)
    ), judged as materialized (
      select c.*, d.free_calls, greatest(c.next_attempt_at, c.leased_until, d.backoff_until) as wait_until,
        case
          when d.stopped_at is not null then 'stopped'
          when greatest(c.next_attempt_at, c.leased_until, d.backoff_until) > now() then 'later'
          when exists (select from ${deliveries} o where o.destination_id = c.destination_id
            and o.subject_id = c.subject_id and o.status = 'queued' and o.id <> c.id
            and (o.leased_until > now() or ((o.sequence, o.part) < (c.sequence, c.part)
              and not (d.kind = any(${ORDER_RECORD_KINDS}) and coalesce(o.next_attempt_at > now(), false))))) then 'blocked'
          else 'free' end as verdict
      from candidates c inner join addressed d on d.id = c.destination_id
    ), limited as (
      select id, destination_id, wait_until, scheduled_at, case when verdict = 'free' and free_calls
        < row_number() over (partition by destination_id, verdict order by sequence, part) then 'full' else verdict end as verdict
      from judged
    )
    select *, row_number() over (partition by verdict order by scheduled_at) as nth from limited
  )`;
  const verdict = (is: Verdict) => sql`v.verdict = ${sql.raw(`'${is}'`)}`;
  const soonest = sql`case when ${verdict("full")} then ${FULL_RECHECK / SECOND}::int else ${BLOCKED_RECHECK / SECOND}::int end`;
  const age = sql`least(greatest(extract(epoch from now() - ${deliveries.createdAt}), ${soonest}), ${MAX_RECHECK / SECOND}::int)`;
  return db
    .update(deliveries)
    .set({
      status: sql`case when ${verdict("stopped")} then 'dropped' else ${deliveries.status} end`,
      reason: sql`case when ${verdict("stopped")} then 'stopped' else ${deliveries.reason} end`,
      nextAttemptAt: sql`case when ${verdict("stopped")} then null else ${deliveries.nextAttemptAt} end`,
      leasedUntil: sql`case when ${verdict("free")} then ${leaseEnd} when ${verdict("later")} then ${deliveries.leasedUntil} end`,
      attemptedAt: sql`case when ${verdict("free")} then now() else ${deliveries.attemptedAt} end`,
      parkedAt: sql`case when ${verdict("full")} then now() end`,
      scheduledAt: sql`case when ${verdict("free")} then ${leaseEnd} when ${verdict("later")} then v.wait_until
        else now() + make_interval(secs => ${age} * (1 + random())) end`,
    })
    .from(sql`${judged} v`)
    .innerJoin(destinations, sql`${destinations.id} = v.destination_id`)
    .where(sql`${deliveries.id} = v.id and (v.verdict <> 'free' or v.nth <= ${max})`)
    .returning({
      delivery: getTableColumns(deliveries),
      destination: getTableColumns(destinations),
      verdict: sql<Verdict>`v.verdict`,
    });
}

/** The row, while it is queued and nobody else has claimed it. */
export function isClaimedBy({ id, leasedUntil }: ClaimedDelivery) {
  return and(eq(deliveries.id, id), eq(deliveries.leasedUntil, leasedUntil), eq(deliveries.status, "queued"));
}
