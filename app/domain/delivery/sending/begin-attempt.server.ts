import { and, eq, sql } from "drizzle-orm";
import { batch } from "#app/db/batcher.server.ts";
import { db, type Tx } from "#app/db/client.server.ts";
import { anyOf, ownById } from "#app/db/conditions.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import {
  type ClaimedDelivery,
  type DeliveryWithDestination,
  isClaimedBy,
  LEASE,
  leaseEnd,
} from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { MAX_CALLS } from "#app/domain/delivery/waiting.server.ts";
import { elapsedMs, readClocks } from "#app/platform/clocks.ts";
import { seal } from "#app/platform/secrets.server.ts";

/**
 * The last statement before a call: renews the lease, counts the attempt and stores the body, so that each attempt sends the
 * same. Deliveries claimed together share it. Where a destination receives each line separately, the other
 * lines become rows of their own after this one.
 * @param rendered the bodies, this row's first; null where it was stored before
 * @returns whether to send: if the lease has expired, another worker may have sent it meanwhile
 */
export async function beginAttempt(
  claimed: DeliveryWithDestination,
  rendered: string[] | null,
): Promise<boolean> {
  const startedAt = readClocks();
  const leasedUntil = await saveAttempt(claimed, rendered);
  if (!leasedUntil) {
    await releaseLease(claimed);
    return false;
  }
  claimed.delivery.leasedUntil = leasedUntil;
  claimed.delivery.attempts++;
  // The answer may have come late: what counts is how much of the lease is left.
  const isInTime = elapsedMs(startedAt) < LEASE / 4;
  if (!isInTime) await undoAttempt(claimed);
  return isInTime;
}

/** Takes back an attempt that was counted and not made. A worker that took the row over meanwhile keeps its lease. */
async function undoAttempt({ delivery }: DeliveryWithDestination): Promise<void> {
  const isOwn = sql`${deliveries.leasedUntil} = ${delivery.leasedUntil.toISOString()}::timestamptz`;
  await db
    .update(deliveries)
    .set({
      attempts: sql`${deliveries.attempts} - 1`,
      leasedUntil: sql`case when ${isOwn} then null else ${deliveries.leasedUntil} end`,
      scheduledAt: sql`case when ${isOwn} then now() + interval '1 second' else ${deliveries.scheduledAt} end`,
    })
    .where(
      and(
        ownById(deliveries, delivery.sellerId, delivery.id),
        eq(deliveries.status, "queued"),
        sql`${deliveries.attempts} >= ${delivery.attempts}::int`,
      ),
    );
  delivery.attempts--;
}

/** An attempt to be counted; `body` where it was rendered now. */
type Attempt = { delivery: ClaimedDelivery; body: string | null };

async function saveAttempt(
  claimed: DeliveryWithDestination,
  rendered: string[] | null,
): Promise<Date | null> {
  const attempt = { delivery: claimed.delivery, body: rendered ? rendered[0]! : null };
  const others = rendered?.slice(1) ?? [];
  if (others.length === 0) return saveOne(attempt);
  return db.transaction(async (tx) => {
    const [leasedUntil] = await saveAttempts(tx, [attempt]);
    if (leasedUntil)
      await tx
        .insert(deliveries)
        .values(others.map((body, at) => buildPart(claimed, at + 1, body)))
        .onConflictDoNothing();
    return leasedUntil!;
  });
}

/** Attempts that share a statement. */
const ATTEMPTS_AT_ONCE = 50;

const saveOne = batch<Attempt, Date | null>(ATTEMPTS_AT_ONCE, (group) => saveAttempts(db, group));

/** @returns the end of each lease; null where the attempt may not be made */
async function saveAttempts(tx: Tx | typeof db, group: Attempt[]): Promise<(Date | null)[]> {
  const values = group.map(({ delivery: { id, leasedUntil, aboutEmailSealed }, body }) => ({
    ...{ id, leased_until: leasedUntil, about: aboutEmailSealed },
    bodySealed: body && seal(body),
  }));
  const rows = await tx
    .update(deliveries)
    .set({
      attempts: sql`${deliveries.attempts} + 1`,
      leasedUntil: leaseEnd,
      scheduledAt: leaseEnd,
      bodySealed: sql`coalesce(b."bodySealed", ${deliveries.bodySealed})`,
      clearedAt: sql`case when b."bodySealed" is null then ${deliveries.clearedAt} end`,
    })
    .from(
      sql`(select * from jsonb_to_recordset(${JSON.stringify(values)}::text::jsonb)
        as b(id uuid, leased_until timestamptz, about text, "bodySealed" text) order by id) b`,
    )
    .where(
      and(
        anyOf(
          deliveries.id,
          values.map(({ id }) => id),
        ),
        sql`${deliveries.id} = b.id and ${deliveries.leasedUntil} = b.leased_until and ${deliveries.status} = 'queued'
          and ${deliveries.leasedUntil} > now()`,
        // The sale's e-mail may have been corrected since the row was claimed: this one is about the e-mail before.
        sql`${deliveries.aboutEmailSealed} is not distinct from b.about`,
        isWanted,
        hasFreeCall,
        isFirstOfSubject,
      ),
    )
    .returning({ id: deliveries.id, leasedUntil: deliveries.leasedUntil });
  const ends = new Map(rows.map((row) => [row.id, row.leasedUntil]));
  return values.map(({ id }) => ends.get(id) ?? null);
}

/** The destination may have been stopped since the row was claimed. */
const isWanted = sql`(select d.stopped_at from ${destinations} d where d.id = ${deliveries.destinationId}) is null`;

/** Whether another delivery of the destination is being sent that was claimed earlier. */
const isEarlier = sql`o.seller_id = ${deliveries.sellerId} and o.destination_id = ${deliveries.destinationId}
  and o.status = 'queued' and o.leased_until > now()
  and (o.attempted_at, o.id) < (${deliveries.attemptedAt}, ${deliveries.id})`;

/** Two concurrent claims do not see each other's rows; the earlier ones proceed, up to `MAX_CALLS`, even if it is failing. */
const hasFreeCall = sql`(select count(*) from ${deliveries} o where ${isEarlier}) < ${MAX_CALLS}::int`;

/** Two concurrent claims may each take a row of the same subject; the earlier one proceeds. */
const isFirstOfSubject = sql`(select true from ${deliveries} o
  where ${isEarlier} and o.subject_id = ${deliveries.subjectId} limit 1) is null`;

/** If the row is still ours, it is claimed again in a moment. */
async function releaseLease({ delivery }: DeliveryWithDestination): Promise<void> {
  await db
    .update(deliveries)
    .set({ leasedUntil: null, scheduledAt: sql`now() + interval '1 second'` })
    .where(isClaimedBy(delivery));
}

function buildPart({ delivery }: DeliveryWithDestination, part: number, body: string) {
  const { sequence, destinationId, sellerId, saleId, subjectId, aboutId, aboutEmailSealed } = delivery;
  const { event, createdAt, requestId } = delivery;
  return {
    ...{ sequence, destinationId, sellerId, saleId, subjectId, aboutId, aboutEmailSealed },
    ...{ event, createdAt, requestId, part },
    bodySealed: seal(body),
    // Scheduled when the one before it ends.
    scheduledAt: null,
  };
}
