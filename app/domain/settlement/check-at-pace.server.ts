import { type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { byNow } from "#app/db/columns.server.ts";
import { charges, gatewayAccounts, pacedChecks } from "#app/db/schema/payments.server.ts";
import {
  isDisputed,
  isPastReturn,
  nextDisputedCheck,
  nextPacedCheck,
} from "#app/domain/charge/paced-check.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { askProvider } from "#app/domain/settlement/ask-provider.server.ts";
import { HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { PACED_CHECKS } from "#app/queue/names.ts";
import { definePump } from "#app/queue/pump.server.ts";

/**
 * A charge whose turn it is. `dueAt` and `place` (ctid) are those of its row as it was taken. `holdsMoney`: something may still
 * go back, or come in.
 */
type PacedCheck = {
  chargeId: string;
  sellerId: string;
  provider: string;
  dueAt: string;
  place: string;
  holdsMoney: boolean;
};

/** An account has one such check under way, and so much time between two: a webhook's or a buyer's come first. */
const PACE = 500;
/** Whoever took an account's turn and has not finished within this is taken for dead; longer than a question with two keys takes. */
const LEASE = 40 * SECOND;
/** Accounts looked at in one claim. */
const ACCOUNTS = 50;
/** What nobody scheduled is due later than this (`paced-check`). */
const IDLE = HOUR;
/** Before an account that gave no answer is tried with another charge, by what went wrong; and before the same charge is. */
const AFTER_NO_ANSWER = MINUTE;
const AFTER_REFUSED_KEY = HOUR;
const SAME_AGAIN = HOUR;

/**
 * Checks charges at their account's pace, in places of its own: each account one at a time, those that waited longest
 * first, so that neither another seller's payments nor the checks of unpaid charges wait for it.
 */
export const pacedChecking = definePump<PacedCheck>({
  name: PACED_CHECKS,
  atOnce: 4,
  every: 5 * SECOND,
  claim: claimPacedChecks,
  handle: checkAtPace,
  about: ({ chargeId }) => ({ chargeId }),
});

/**
 * Takes the longest due charge of each account whose turn it is. Accounts with nothing due get their turn when the next of
 * theirs is. The account's turn is the lease of its charges, too: their own rows, each in three indexes, are written once a check.
 */
export async function claimPacedChecks(most: number): Promise<PacedCheck[]> {
  const until = sql`date_trunc('milliseconds', now()) + make_interval(secs => ${LEASE / SECOND})`;
  return db.execute<PacedCheck>(sql`
    with turns as materialized (
      select a.seller_id, a.provider, a.next_paced_check_at as turn from ${gatewayAccounts} a
      where a.next_paced_check_at <= ${byNow} order by a.next_paced_check_at limit ${ACCOUNTS}
      for no key update skip locked
    ), first as materialized (
      select t.*, p.charge_id, p.due_at, p.place from turns t left join lateral (
        select p.charge_id, p.due_at, p.ctid as place from ${pacedChecks} p
        where p.seller_id = t.seller_id and p.provider = t.provider order by p.due_at limit 1) p on true
    ), due as (
      select * from first where due_at <= ${byNow} order by turn limit ${most}
    ), turned as (
      update ${gatewayAccounts} a set next_paced_check_at = case when f.due_at <= ${byNow} then ${until}
        else least(f.due_at, now() + make_interval(secs => ${IDLE / SECOND})) end
      from first f where a.seller_id = f.seller_id and a.provider = f.provider
        and (f.due_at is null or f.due_at > ${byNow} or f.charge_id in (select charge_id from due))
    )
    select d.charge_id as "chargeId", d.seller_id as "sellerId", d.provider, d.due_at as "dueAt", d.place::text,
      ${holdsMoney} as "holdsMoney"
    from due d inner join ${charges} c on c.id = d.charge_id`);
}

/** Of an unpaid charge: that it may still be paid. */
const holdsMoney = sql`(c.paid_cents is null or c.paid_cents > coalesce(
  (select sum(r.amount_cents) from refunds r where r.charge_id = c.id and r.status = 'done'), 0))`;

/** @returns in how many milliseconds the account's next may be checked */
async function checkAtPace(check: PacedCheck): Promise<number> {
  const { chargeId } = check;
  if (!check.holdsMoney) {
    await endTurn(check, { pause: 0, due: null });
    return 0;
  }
  try {
    const asked = await askProvider(chargeId, undefined, { paced: true });
    if (asked.kind === "asked") log.info({ chargeId, outcome: asked.outcome }, "charge checked at its pace");
    const opens = asked.kind === "gate" ? sql`${asked.opensAt.toISOString()}::timestamptz` : undefined;
    await endTurn(check, { pause: PACE, due: opens });
    return PACE;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const pause = error.kind === "credentials" ? AFTER_REFUSED_KEY : AFTER_NO_ANSWER;
    // Not all of an account's at the same moment again.
    const due = sql`now() + make_interval(secs => ${SAME_AGAIN / SECOND} * (0.5 + random() / 2))`;
    await endTurn(check, { pause, due });
    return pause;
  }
}

/**
 * Gives the account its next turn, and the charge its next check: at `due`, or where that is undefined by the age of its
 * payment, or never (`due: null`, and where nothing can go back any more). Only where the row is as it was taken.
 */
async function endTurn(
  { chargeId, sellerId, provider, dueAt, place }: PacedCheck,
  { pause, due }: { pause: number; due: SQL | null | undefined },
): Promise<void> {
  // An unpaid charge has its own checks: here it is asked about once.
  const isOver = due
    ? sql`(${isPastReturn(sql`coalesce(c.paid_at, c.created_at)`)} and not d.is_disputed)`
    : due === null || sql`(c.paid_at is null or ${isPastReturn(sql`c.paid_at`)} and not d.is_disputed)`;
  const next = sql`case when d.is_disputed then ${nextDisputedCheck} else ${nextPacedCheck(sql`c.paid_at`)} end`;
  // The row is found by its place: each index of it has a level more in a large shop. Who moved it since has scheduled it anew.
  await db.execute(sql`
    with turned as (
      update ${gatewayAccounts} set next_paced_check_at = now() + make_interval(secs => ${pause / SECOND})
      where seller_id = ${sellerId} and provider = ${provider}
    ), taken as materialized (
      select p.ctid as place, ${isOver} as is_over, ${due ?? next} as next_at
      from (
        select ctid from ${pacedChecks}
        where ctid = ${place}::tid and charge_id = ${chargeId} and due_at = ${dueAt}::timestamptz for update
      ) p, (select * from ${charges} where id = ${chargeId} limit 1) c,
        lateral (select ${isDisputed} as is_disputed offset 0) d
    ), over as (
      delete from ${pacedChecks} where ctid = (select place from taken where is_over)
    )
    update ${pacedChecks} set due_at = (select next_at from taken)
    where ctid = (select place from taken where not is_over)`);
}
