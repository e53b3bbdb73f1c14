import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { pacedChecks } from "#app/db/schema/charge-checks.server.ts";
import type { ChargeStatus } from "#app/db/schema/lists.ts";
import { chargeEvents, charges } from "#app/db/schema/payments.server.ts";
import type { Cte, Statement } from "#app/db/statement.server.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";

/** How long after its creation an unpaid charge is checked without a webhook. Webhooks count at any time. */
const MAX_CHECK_AGE = 3 * DAY;
/**
 * How long a payment or refund that a webhook announced is checked while the provider does not answer, and a charge whose last
 * check it did not answer.
 */
export const MAX_ANNOUNCED_AGE = 30 * DAY;

/**
 * When an unpaid charge is checked next: pauses are as long as the charge is old, from a minute to six hours, so that a
 * buyer who clicks often postpones nothing. Where a webhook said that it was paid (and perhaps refunded), and the provider has
 * not confirmed it yet, they restart from that webhook and last longer. A card that is not decided is checked for as long, then once
 * a day: its order can be paid no other way meanwhile. Null when no check is left.
 */
export function nextCheck(
  {
    status,
    createdAt,
    paymentAnnouncedAt,
  }: { status?: ChargeStatus; createdAt: Date; paymentAnnouncedAt: Date | null },
  now: Date,
): Date | null {
  const since = (paymentAnnouncedAt ?? createdAt).getTime();
  const next = now.getTime() + Math.min(Math.max(now.getTime() - since, MINUTE), 6 * HOUR);
  const isUndecidedCard = status === "unknown" || status === "in_review";
  const isAwaited = paymentAnnouncedAt !== null || isUndecidedCard;
  if (next - since <= (isAwaited ? MAX_ANNOUNCED_AGE : MAX_CHECK_AGE)) return new Date(next);
  return isUndecidedCard ? new Date(now.getTime() + DAY) : null;
}

/** In a minute, by the database's clock. */
export const IN_A_MINUTE = sql`date_trunc('milliseconds', now() + interval '1 minute')`;
/** Due immediately. Not rounded up: that would be a moment later. */
export const CHECK_NOW = sql`date_trunc('milliseconds', now())`;

/**
 * Sets a charge's next check to `wantedAt` (null: none), or leaves an earlier one where a webhook is unhandled. The caller
 * must hold the charge's lock.
 */
export function nextCheckTime(wantedAt: SQL | null): SQL {
  const wanted = wantedAt ?? sql`null::timestamptz`;
  return sql`case when exists (
    select from payment_webhooks w where w.seller_id = ${charges.sellerId} and w.charge_id = ${charges.id} and w.handled_at is null
  ) then least(${charges.nextCheckAt}, ${wanted}) else ${wanted} end`;
}

/** How long after its payment a PIX can be refunded or disputed: the Central Bank's limit. */
const RETURN_WINDOW = 90 * DAY;
/** The same of a card. */
const CARD_RETURN_WINDOW = 180 * DAY;

/**
 * Pauses between checks of a paid charge, by its age: a refund without a webhook is found within 24 hours, 3 days, 7 days, and after a PIX's window within 14.
 * Random between `min` and `max`, so that payments of one rush are not all checked at once; below the promise by what a
 * backlog may take.
 */
const CHECK_INTERVALS = [
  { until: 7 * DAY, min: 18 * HOUR, max: 22 * HOUR },
  { until: 30 * DAY, min: 60 * HOUR, max: 68 * HOUR },
  { until: RETURN_WINDOW, min: 144 * HOUR, max: 160 * HOUR },
  { until: CARD_RETURN_WINDOW, min: 300 * HOUR, max: 324 * HOUR },
];

/** During a dispute: its decision is found within this. */
const DISPUTED_INTERVAL = 6 * HOUR;

const interval = (ms: number) => sql`make_interval(secs => ${ms / SECOND})`;

/** How long a payment by a `method` can be refunded or disputed. */
function returnWindow(method: SQL): SQL {
  return sql`case when ${method} = 'card' then ${interval(CARD_RETURN_WINDOW)} else ${interval(RETURN_WINDOW)} end`;
}

/** When a charge that was paid at `paidAt` is checked next, by the database's clock. */
export function nextPacedCheck(paidAt: SQL, method = sql`'pix'`): SQL {
  const intervals = CHECK_INTERVALS.map(
    ({ until, min, max }) =>
      sql`when now() < ${paidAt} + ${interval(until)} then ${interval(min)} + random() * ${interval(max - min)}`,
  );
  return sql`least(${paidAt} + ${returnWindow(method)}, now() + case ${sql.join(intervals, sql` `)} else ${interval(0)} end)`;
}

/** Whether a payment is too old to be refunded or disputed. */
export function isPastReturnWindow(paidAt: SQL, method = sql`'pix'`): SQL<boolean> {
  return sql<boolean>`${paidAt} + ${returnWindow(method)} <= now()`;
}

/**
 * Whether a payment that does not count for its sale is disputed. It has no row in `disputes`: the newest answer of its provider
 * says so.
 * @param charge SQL of its table, or the table's alias
 */
export function isExtraDisputed(charge: SQL): SQL<boolean> {
  return sql<boolean>`case when ${charge}.overpaid_at is not null or ${charge}.status = 'mispaid' then coalesce((
    select e.data->>'state' = 'disputed' from charge_events e
    where e.seller_id = ${charge}.seller_id and e.charge_id = ${charge}.id and e.kind = 'asked'
      and e.data->>'state' not in ('unknown', 'unclear')
    order by e.id desc limit 1), false) else false end`;
}

/** Whether the payment of a charge `c` is disputed: it is checked until that is decided, at any age. */
export const isDisputed = sql<boolean>`(coalesce((
  select true from disputes d where d.seller_id = c.seller_id and d.sale_id = c.sale_id and d.status = 'open' and d.charge_id = c.id), false)
  or ${isExtraDisputed(sql`c`)})`;

/** When a disputed payment is checked next. */
export const nextDisputedCheck = sql`now() + ${interval(DISPUTED_INTERVAL)}`;

/** Schedules the checks of a disputed payment, unless its next one is earlier: a row whose check runs stays as it was claimed. */
export async function scheduleDisputedCheck(tx: Tx, chargeId: string): Promise<void> {
  await tx.execute(sql`
    insert into ${pacedChecks} (charge_id, seller_id, provider, scheduled_at)
    select c.id, c.seller_id, c.provider, ${nextDisputedCheck} from ${charges} c
    where c.id = ${chargeId}
    on conflict (seller_id, charge_id) do update set scheduled_at = excluded.scheduled_at
      where paced_checks.scheduled_at > excluded.scheduled_at`);
}

/** Adds the first paced check of a charge that was just paid to a statement. */
export function addPacedCheck(statement: Statement, moved: Cte<"id" | "seller_id" | "provider">): void {
  statement.add(
    "scheduled",
    sql`insert into ${pacedChecks} (charge_id, seller_id, provider, scheduled_at)
      select m.id, m.seller_id, m.provider, ${nextPacedCheck(sql`now()`)} from ${moved} m
      on conflict (seller_id, charge_id) do nothing`,
  );
}

/**
 * The newest answer of a provider about a payment, of checks made after it was booked, as a subquery with `state` and `at`; no
 * row where there was none. The check that booked it ended a moment before, by the database's clock, while `paid_at` is by
 * that of a process: no provider is asked twice about one payment within these seconds.
 * @param payment SQL of its columns
 */
export function lastAnswerSql(payment: Record<"sellerId" | "chargeId" | "paidAt", SQL>): SQL {
  return sql`(
    select e.data->>'state' as state, e.at from ${chargeEvents} e
    where e.seller_id = ${payment.sellerId} and e.charge_id = ${payment.chargeId} and e.kind = 'asked'
      and e.at > ${payment.paidAt} + interval '5 seconds'
    order by e.id desc limit 1)`;
}

/** Whether the newest check of a payment, after it was booked, was refused with the key that it was created with. */
export function lastRefusedKeySql(payment: Record<"sellerId" | "chargeId" | "paidAt", SQL>): SQL<boolean> {
  return sql<boolean>`coalesce((
    select e.kind = 'unanswered' and e.data->>'why' = 'credentials' from ${chargeEvents} e
    where e.seller_id = ${payment.sellerId} and e.charge_id = ${payment.chargeId} and e.kind in ('asked', 'unanswered')
      and e.at > ${payment.paidAt} order by e.id desc limit 1), false)`;
}
