import { and, isNull, or, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { paymentWebhooks } from "#app/db/schema/charge-checks.server.ts";
import { chargeEvents, charges, refunds } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import { lastAnswerSql, lastRefusedKeySql, nextCheck } from "#app/domain/charge/check-times.server.ts";
import type { Provider, TransactionState } from "#app/domain/gateway/providers/port.ts";
import { isSealedAsSql, keyAnswerSql } from "#app/domain/gateway/record-key-answer.server.ts";
import { scheduleHeldChecks } from "#app/domain/gateway/schedule-held-checks.server.ts";
import type { ChargeEvent } from "#app/domain/sale/events.ts";
import { isBooked } from "#app/domain/sale/states.ts";
import { nextRefundCheck } from "#app/domain/settlement/book-reversal.server.ts";
import type { CheckedCharge } from "#app/domain/settlement/charge-snapshot.server.ts";
import { SECOND } from "#app/kit/duration.ts";

/** For how long the gate is closed while a call runs; longer than the call may take. */
export const CALL_RESERVATION = 15 * SECOND;

/** A charge that was checked too recently, and when it may be checked again. */
export type ClosedGate = { kind: "gate"; opensAt: Date };

/**
 * A check that passed the gate at `at`, by the database's clock. `provisionalCheckAt`: the charge's next check until this one ends;
 * `followUpAt`: the next one after it.
 */
export type CheckReservation = { at: Date; provisionalCheckAt: Date | null; followUpAt: Date | null };

/**
 * Reserves the call, unless the charge was checked too recently. The gate is one update in our database: whatever the number of
 * processes and tabs, a provider is called at most once per transaction and minute, counted from when a call was sent at the
 * latest. Until the check ends, the next one is scheduled for when the gate opens again, in case this process
 * dies: also after the last one of an unpaid charge. A check that was scheduled since the charge was read is left as it is.
 */
export async function passGate(
  isCharge: SQL,
  provider: Provider,
  charge: CheckedCharge,
): Promise<CheckReservation | ClosedGate> {
  const hasNextCheck = nextCheckAfter(charge, new Date()) !== null;
  // One clock for all processes: the database's.
  const secondsUntil = (ms: number) => sql`make_interval(secs => ${ms / SECOND})`;
  const provisionalCheckAt =
    hasNextCheck || charge.pendingWebhookIds.length > 0 || !isBooked(charge)
      ? sql`date_trunc('milliseconds', now()) + ${secondsUntil(CALL_RESERVATION + provider.minCheckIntervalMs)}`
      : sql`null`;
  const [passed] = await db
    .update(charges)
    .set({
      lastCheckedAt: sql`now() + ${secondsUntil(CALL_RESERVATION)}`,
      checks: sql`${charges.checks} + 1`,
      nextCheckAt: sql`case when ${charges.nextCheckAt} is not distinct from ${charge.nextCheckAt?.toISOString() ?? null}::timestamptz
        then ${provisionalCheckAt} else ${charges.nextCheckAt} end`,
    })
    .where(
      and(
        isCharge,
        or(
          isNull(charges.lastCheckedAt),
          sql`${charges.lastCheckedAt} <= now() - ${secondsUntil(provider.minCheckIntervalMs)}`,
          // Further ahead than a reservation is: the database's clock was ahead, or that of the server before it.
          sql`${charges.lastCheckedAt} > now() + ${secondsUntil(CALL_RESERVATION + provider.minCheckIntervalMs)}`,
        ),
      ),
    )
    .returning({
      at: sql`now()`.mapWith(charges.lastCheckedAt),
      provisionalCheckAt: sql`${provisionalCheckAt}`.mapWith(charges.nextCheckAt) as SQL<Date | null>,
    });
  if (passed) {
    const at = passed.at as Date;
    return { at, provisionalCheckAt: passed.provisionalCheckAt, followUpAt: nextCheckAfter(charge, at) };
  }
  const [current] = await db.select({ at: charges.lastCheckedAt }).from(charges).where(isCharge);
  return {
    kind: "gate",
    opensAt: new Date((current?.at?.getTime() ?? Date.now()) + provider.minCheckIntervalMs),
  };
}

/** When a charge is checked after a check that began at `now`; null where its checks are over. */
export function nextCheckAfter(charge: CheckedCharge, now: Date): Date | null {
  if (!isBooked(charge)) return nextCheck(charge, now);
  // Its automatic refund waits for the bank's decision, which its paced checks find.
  const isAwaitingBank = charge.isExtraDisputed && charge.lastRefund?.isUnsent;
  return isAwaitingBank ? null : nextRefundCheck(charge.lastRefund, now);
}

/** What a check found. */
export type CheckResult = {
  /** Null where the check leaves none; `unlessRepeated`: none where the last one since the booking says the same. */
  event: (Extract<ChargeEvent, { kind: "asked" | "unanswered" }> & { unlessRepeated?: boolean }) | null;
  /** The payment's state; null where there was no answer. */
  state: TransactionState | null;
  /** When it was answered, by the database's clock: whatever was booked later was learned from it. */
  at: Date;
  /** The webhooks that it answers: ids of `payment_webhooks`. */
  webhookIds: string[];
  /** The keys that were used, as they are sealed. */
  usedKeys: string[];
  /** True where the provider refused all of them, false where it accepted them, null where neither is known. */
  isKeyRefused: boolean | null;
};

/**
 * Ends a check in one statement: the gate counts from now, when the call was sent for certain; the answer is written to the
 * history and its webhooks are marked handled; the next check is set, unless another one was scheduled meanwhile; whether the keys
 * are accepted is stored. Further statements follow only where an acceptance is new: they schedule the checks that waited for it.
 */
export async function finishCheck(
  { chargeId, sellerId, provider }: { chargeId: string; sellerId: string; provider: string },
  { event, state, at, webhookIds, usedKeys, isKeyRefused }: CheckResult,
  { provisionalCheckAt, followUpAt }: Pick<CheckReservation, "provisionalCheckAt" | "followUpAt">,
): Promise<void> {
  const isUnchanged = sql`${charges.nextCheckAt} = ${provisionalCheckAt?.toISOString() ?? null}::timestamptz`;
  // A payment that is booked by now is checked only while a refund is pending.
  const nextCheckAt = sql`case when ${charges.status} in ('paid', 'mispaid') and not exists (
    select from ${refunds} r where r.seller_id = ${sellerId} and r.charge_id = ${chargeId} and r.status = 'pending') then null
    else ${followUpAt?.toISOString() ?? null}::timestamptz end`;
  const statement = new Statement();
  const gate = statement.add(
    "gate",
    db
      .update(charges)
      .set({
        lastCheckedAt: sql`now()`,
        nextCheckAt: sql`case when ${isUnchanged} then ${nextCheckAt} else ${charges.nextCheckAt} end`,
        requestedBy: sql`case when ${isUnchanged} then null else ${charges.requestedBy} end`,
      })
      .where(ownById(charges, sellerId, chargeId))
      .returning({
        ...{ sellerId: charges.sellerId, saleId: charges.saleId, status: charges.status },
        ...{ overpaidAt: charges.overpaidAt, paidAt: charges.paidAt },
      }),
  );
  // A cancellation after the payment is not booked; the seller is notified. After the charge's lock, the usual order.
  const isCancelled = state === "cancelled" || state === "expired";
  statement.add(
    "cancelled",
    sql`update ${sales} s set
      cancelled_since = case when ${isCancelled}::boolean then now() end, cancelled_checked_at = null from ${gate} g
    where ${isCancelled || state === "paid"}::boolean and s.seller_id = g.seller_id and s.id = g.sale_id and g.status = 'paid' and g.overpaid_at is null
      and (s.cancelled_since is null) = ${isCancelled}::boolean`,
  );
  statement.add(
    "handled",
    db
      .update(paymentWebhooks)
      .set({ handledAt: sql`now()` })
      .where(
        sql`${paymentWebhooks.sellerId} = ${sellerId} and ${paymentWebhooks.id} = any(${`{${webhookIds.join(",")}}`}::bigint[])`,
      ),
  );
  const areUsedKeys = isSealedAsSql({ sellerId, provider }, usedKeys);
  const answered =
    isKeyRefused === null ? null : statement.add("key", keyAnswerSql(areUsedKeys, !isKeyRefused));
  const payment = {
    sellerId: sql`${sellerId}::uuid`,
    chargeId: sql`${chargeId}::uuid`,
    paidAt: sql`(select paid_at from ${gate})`,
  };
  const isRepeated =
    event?.kind === "unanswered"
      ? sql`${lastRefusedKeySql(payment)}`
      : sql`(select state from ${lastAnswerSql(payment)} a) is not distinct from ${state ?? "unknown"}::text`;
  const isNewAnswer = sql`(not ${event?.unlessRepeated ?? false}::boolean or not ${isRepeated})`;
  statement.add(
    "logged",
    sql`insert into ${chargeEvents} (charge_id, seller_id, kind, data, cause, at)
    select ${chargeId}::uuid, ${sellerId}::uuid, ${event?.kind ?? null}::text, ${JSON.stringify(event?.data ?? {})}::jsonb, 'system',
      ${at.toISOString()}::timestamptz where ${event !== null}::boolean and ${isNewAnswer}`,
  );
  const learned = await db.execute(answered ? statement.selectFrom(answered, sql`1`) : statement.select());
  if (isKeyRefused === false && learned.length > 0) await scheduleHeldChecks(db, sellerId, provider);
}
