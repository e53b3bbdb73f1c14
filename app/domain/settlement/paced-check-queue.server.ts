import { type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { nowRoundedUp } from "#app/db/columns.server.ts";
import { pacedChecks } from "#app/db/schema/charge-checks.server.ts";
import { charges, gatewayAccounts } from "#app/db/schema/payments.server.ts";
import {
  isDisputed,
  isPastReturnWindow,
  nextDisputedCheck,
  nextPacedCheck,
} from "#app/domain/charge/check-times.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { checkCharge, OtherAccountError } from "#app/domain/settlement/check-charge.server.ts";
import { HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { defineQueue } from "#app/queue/define-queue.server.ts";
import { PACED_CHECKS } from "#app/queue/names.ts";

/**
 * A due charge. `scheduledAt` and `ctid` are those of its row when it was claimed. `holdsMoney`: something may still be
 * refunded, or paid. What was refunded is asked about once more: its bank may have taken it a second time.
 */
type PacedCheck = {
  chargeId: string;
  sellerId: string;
  provider: string;
  scheduledAt: string;
  ctid: string;
  holdsMoney: boolean;
};

/** Pause between two paced checks of an account, which run one at a time: checks for webhooks and buyers come first. */
const ACCOUNT_INTERVAL = 500;
/** Of different accounts. */
const CHECKS_AT_ONCE = 4;
const POLL_INTERVAL = 5 * SECOND;
/** How long a worker owns an account's paced checks; longer than a call with two keys takes. */
const LEASE = 40 * SECOND;
/** Accounts read in one claim. */
const MAX_ACCOUNTS = 50;
/** Checks that are scheduled by a payment are due later than this (`paced-check`). */
const MAX_ACCOUNT_PAUSE = HOUR;
/** Pauses of an account without an answer, by what went wrong, and before the same charge is checked again. */
const PAUSE_AFTER_NO_ANSWER = MINUTE;
const PAUSE_AFTER_REFUSED_KEY = HOUR;
const CHARGE_RETRY_DELAY = HOUR;
/** How long after the return window a payment's last check may get its answer. */
const LAST_CHECK_GRACE = sql`interval '7 days'`;

/**
 * Checks charges at their account's pace, with a concurrency of its own: one at a time per account, the longest waiting
 * account first, so that neither other sellers' payments nor checks of unpaid charges wait for it.
 */
export const pacedCheckQueue = defineQueue<PacedCheck>({
  name: PACED_CHECKS,
  concurrency: CHECKS_AT_ONCE,
  pollInterval: POLL_INTERVAL,
  claim: claimPacedChecks,
  handle: runPacedCheck,
  logIds: ({ chargeId }) => ({ chargeId }),
});

/**
 * Claims the longest due charge of each due account. An account without due charges is due again with its next charge. The
 * account's row is also the lease of its charges: their own rows, each in three indexes, are written once per check.
 */
export async function claimPacedChecks(limit: number): Promise<PacedCheck[]> {
  const leaseEnd = sql`date_trunc('milliseconds', now()) + make_interval(secs => ${LEASE / SECOND})`;
  return db.execute<PacedCheck>(sql`
    with accounts as materialized (
      select a.seller_id, a.provider, a.next_paced_check_at as account_due_at from ${gatewayAccounts} a
      where a.next_paced_check_at <= ${nowRoundedUp} order by a.next_paced_check_at limit ${MAX_ACCOUNTS}
      for no key update skip locked
    ), first as materialized (
      select t.*, p.charge_id, p.scheduled_at, p.row_id from accounts t left join lateral (
        select p.charge_id, p.scheduled_at, p.ctid as row_id from ${pacedChecks} p
        where p.seller_id = t.seller_id and p.provider = t.provider order by p.scheduled_at limit 1) p on true
    ), due as (
      select * from first where scheduled_at <= ${nowRoundedUp} order by account_due_at limit ${limit}
    ), rescheduled as (
      update ${gatewayAccounts} a set next_paced_check_at = case when f.scheduled_at <= ${nowRoundedUp} then ${leaseEnd}
        else least(f.scheduled_at, now() + make_interval(secs => ${MAX_ACCOUNT_PAUSE / SECOND})) end
      from first f where a.seller_id = f.seller_id and a.provider = f.provider
        and (f.scheduled_at is null or f.scheduled_at > ${nowRoundedUp} or f.charge_id in (select charge_id from due))
    )
    select d.charge_id as "chargeId", d.seller_id as "sellerId", d.provider, d.scheduled_at as "scheduledAt", d.row_id::text as ctid,
      ${holdsMoney} as "holdsMoney"
    from due d inner join ${charges} c on c.id = d.charge_id`);
}

/** An unpaid charge counts too: it may still be paid. */
const holdsMoney = sql`(c.paid_cents is null or c.paid_cents > coalesce(
  (select sum(r.amount_cents) from refunds r where r.seller_id = c.seller_id and r.charge_id = c.id and r.status = 'done'), 0))`;

/** @returns in how many milliseconds the account may be checked again */
async function runPacedCheck(check: PacedCheck): Promise<number> {
  const { chargeId } = check;
  try {
    const result = await checkCharge(chargeId, { evenIfUnchanged: true });
    if (result.kind === "checked") log.info({ chargeId, outcome: result.outcome }, "paced charge check done");
    const opensAt = result.kind === "gate" ? sql`${result.opensAt.toISOString()}::timestamptz` : undefined;
    await scheduleNextChecks(check, { pause: ACCOUNT_INTERVAL, nextAttemptAt: opensAt });
    return ACCOUNT_INTERVAL;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // No answer will come until another key is saved: neither the account nor the next check depends on it.
    if (error instanceof OtherAccountError) {
      await scheduleNextChecks(check, { pause: ACCOUNT_INTERVAL, nextAttemptAt: undefined });
      return ACCOUNT_INTERVAL;
    }
    const pause = error.kind === "credentials" ? PAUSE_AFTER_REFUSED_KEY : PAUSE_AFTER_NO_ANSWER;
    // Jitter, so that an account's charges are not all due at the same moment again.
    const nextAttemptAt = sql`now() + make_interval(secs => ${CHARGE_RETRY_DELAY / SECOND} * (0.5 + random() / 2))`;
    await scheduleNextChecks(check, { pause, nextAttemptAt });
    return pause;
  }
}

/**
 * Schedules the account, and the charge's next check: at `nextAttemptAt`, or by the age of its payment (undefined), or never
 * where nothing can be refunded any more. Only if the row is unchanged since it was claimed.
 */
async function scheduleNextChecks(
  { chargeId, sellerId, provider, scheduledAt, ctid, holdsMoney }: PacedCheck,
  { pause, nextAttemptAt }: { pause: number; nextAttemptAt: SQL | undefined },
): Promise<void> {
  // An unpaid charge is checked once here: it has its own checks. The last check of a payment is repeated until it is answered.
  const isOver = nextAttemptAt
    ? sql`(${isPastReturnWindow(sql`(coalesce(c.paid_at, c.created_at) + ${LAST_CHECK_GRACE})`, sql`c.method`)} and not d.is_disputed)`
    : sql`(c.paid_at is null or (${!holdsMoney} or ${isPastReturnWindow(sql`c.paid_at`, sql`c.method`)}) and not d.is_disputed)`;
  const regularNextAt = sql`case when d.is_disputed then ${nextDisputedCheck} else ${nextPacedCheck(sql`c.paid_at`, sql`c.method`)} end`;
  // Found by its ctid: an index lookup costs one level more in a large shop. A row that moved since was rescheduled.
  await db.execute(sql`
    with rescheduled as (
      update ${gatewayAccounts} set next_paced_check_at = now() + make_interval(secs => ${pause / SECOND})
      where seller_id = ${sellerId} and provider = ${provider}
    ), claimed as materialized (
      select p.ctid as row_id, ${isOver} as is_over, ${nextAttemptAt ?? regularNextAt} as next_at
      from (
        select ctid from ${pacedChecks}
        where ctid = ${ctid}::tid and charge_id = ${chargeId} and scheduled_at = ${scheduledAt}::timestamptz for update
      ) p, (select * from ${charges} where id = ${chargeId} limit 1) c,
        lateral (select ${isDisputed} as is_disputed offset 0) d
    ), over as (
      delete from ${pacedChecks} where charge_id = ${chargeId} and ctid = (select row_id from claimed where is_over)
    )
    update ${pacedChecks} set scheduled_at = (select next_at from claimed)
    where charge_id = ${chargeId} and ctid = (select row_id from claimed where not is_over)`);
}
