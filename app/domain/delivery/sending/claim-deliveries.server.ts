import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { nowRoundedUp } from "#app/db/columns.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import { freeCalls, isBlocked } from "#app/domain/delivery/waiting.server.ts";
import { SECOND } from "#app/kit/duration.ts";

/** A worker that has not renewed its lease for this long is considered dead. */
export const LEASE = 10 * SECOND;
export const leaseEnd = sql`now() + make_interval(secs => ${sql.raw(String(LEASE / SECOND))})`;
/** How many more rows a claim reads than it may take, since some may not start; and how many it reads if that was not enough. */
const MORE_READ = 10;
const MANY_READ = 200;

// The moments by which a delivery waits:
// `scheduledAt`: when a worker reads the row next; null where it waits for another delivery (`waiting.server.ts`).
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

/** Claims deliveries that may be sent, the longest scheduled first. Those that may not be sent yet are scheduled no more. */
export async function claimDeliveries(max: number): Promise<DeliveryWithDestination[]> {
  const claimed: DeliveryWithDestination[] = [];
  for (let limit = max + MORE_READ; ; limit = MANY_READ) {
    const scheduled = sql`scheduled_at <= ${nowRoundedUp} order by scheduled_at limit ${limit}::int`;
    const judged = await claim(scheduled, max - claimed.length);
    claimed.push(...judged.filter(isClaimed));
    if (judged.length < limit || claimed.length === max) return claimed;
  }
}

/** Claims the next delivery of a subject, for a caller that sends at once: also one that is not scheduled. */
export async function claimNextOfSubject({
  destinationId,
  subjectId,
}: DeliverySubject): Promise<DeliveryWithDestination | null> {
  const own = sql`destination_id = ${destinationId} and subject_id = ${subjectId} order by sequence, part limit 50`;
  const judged = await claim(own, 1);
  return judged.find(isClaimed) ?? null;
}

type Verdict = "free" | "later" | "blocked" | "full";
type Judged = { delivery: DeliveryRow; destination: DestinationRow; verdict: Verdict };

function isClaimed(one: Judged): one is Judged & DeliveryWithDestination {
  return one.verdict === "free";
}

/**
 * Leases the deliveries that may start; the others are written once: scheduled for when their destination takes them
 * (`later`), or left to the end of another delivery (`blocked`, `full`). Several may claim in the same moment, so
 * `beginAttempt` counts the calls again, but up to `MAX_CALLS` for a failing destination too. What a stopped destination
 * does not receive any more is claimed to be ended.
 * @param which of the queued rows, with their order and limit
 */
function claim(which: SQL, max: number): Promise<Judged[]> {
  const judged = sql`(
    with read as materialized (
      select id, seller_id, destination_id, subject_id, sequence, part, scheduled_at, next_attempt_at, leased_until from ${deliveries}
      where status = 'queued' and ${which} for update skip locked
    ), addressed as materialized (
      select d.id, d.kind, d.stopped_at, d.backoff_until, ${freeCalls} as free_calls
      from ${destinations} d where d.id in (select destination_id from read)
    ), judged as materialized (
      select c.*, d.free_calls, greatest(c.next_attempt_at, c.leased_until, d.backoff_until) as wait_until, case
          when greatest(c.leased_until, case when d.stopped_at is null then greatest(c.next_attempt_at, d.backoff_until) end) > now() then 'later'
          when d.stopped_at is not null then 'free'
          when ${isBlocked} then 'blocked' else 'free' end as verdict
      from read c inner join addressed d on d.id = c.destination_id
    ), limited as (
      select id, destination_id, wait_until, scheduled_at, case when verdict = 'free' and free_calls
        < row_number() over (partition by destination_id, verdict order by sequence, part) then 'full' else verdict end as verdict
      from judged
    )
    select *, row_number() over (partition by verdict order by scheduled_at) as nth from limited
  )`;
  const is = (verdict: Verdict) => sql`v.verdict = ${sql.raw(`'${verdict}'`)}`;
  return db
    .update(deliveries)
    .set({
      leasedUntil: sql`case when ${is("free")} then ${leaseEnd} when ${is("later")} then ${deliveries.leasedUntil} end`,
      attemptedAt: sql`case when ${is("free")} then now() else ${deliveries.attemptedAt} end`,
      parkedAt: sql`case when ${is("full")} then coalesce(${deliveries.parkedAt}, now()) end`,
      scheduledAt: sql`case when ${is("free")} then ${leaseEnd} when ${is("later")} then v.wait_until end`,
    })
    .from(sql`${judged} v`)
    .innerJoin(destinations, sql`${destinations.id} = v.destination_id`)
    .where(
      sql`${deliveries.id} = v.id and case when v.verdict = 'free' then v.nth <= ${max} else v.scheduled_at is not null end`,
    )
    .returning({
      delivery: getTableColumns(deliveries),
      destination: getTableColumns(destinations),
      verdict: sql<Verdict>`v.verdict`,
    });
}

/** The row, while it is queued and nobody else has claimed it. */
export function isClaimedBy({ id, sellerId, leasedUntil }: ClaimedDelivery) {
  return and(
    ownById(deliveries, sellerId, id),
    ...[eq(deliveries.leasedUntil, leasedUntil), eq(deliveries.status, "queued")],
  );
}
