import { type SQL, sql } from "drizzle-orm";
import type { Cte, Statement } from "#app/db/statement.server.ts";
import { canAskSql } from "#app/domain/charge/can-ask.server.ts";
import { lastAnswerSql, lastRefusedKeySql } from "#app/domain/charge/check-times.server.ts";
import { isKeyRefusedSql } from "#app/domain/gateway/find-refused-accounts.server.ts";
import {
  hasStatementsSql,
  isCoveredSql,
  statedSql,
} from "#app/domain/reconciliation/statement/statement-sql.server.ts";

/** São Paulo days, `2026-11-01`. */
export type Days = { first: string; last: string };

/** The provider confirms a payment by these states, whatever became of it since: that is booked, too. */
const CONFIRMING_STATES = sql`('paid', 'disputed', 'refunded', 'chargedback')`;

/** What others read of `payments`. */
type PaymentColumn =
  | (
      | "charge_id"
      | "sale_id"
      | "provider"
      | "paid_at"
      | "day"
      | "kind"
      | "received"
      | "expected"
      | "fee"
      | "returned"
    )
  | (
      | "left_cents"
      | "recorded"
      | "observed"
      | "waiting"
      | "unconfirmed"
      | "check_state"
      | "answer"
      | "confirmed_at"
    )
  | ("can_ask" | "is_scheduled" | "statement_kind" | "statement_cents" | "sale_status" | "is_charged_back");

/** A condition on `payments`: the provider's statement differs, and no check has explained it. */
export const isStatementDifference = sql`(statement_kind is not null and statement_kind <> 'statement-omits' and kind = 'counts'
  and check_state <> 'contradicted' and waiting is null and unconfirmed is null)`;

/** A condition on `payments`: a check may confirm it. */
export const isCheckable = sql`(can_ask
  and (check_state in ('unchecked', 'contradicted', 'key-refused') and left_cents > 0 or ${isStatementDifference}))`;

const startOf = (day: string) => sql`(${day}::date::timestamp at time zone 'America/Sao_Paulo')`;
const endOf = (day: string) => sql`((${day}::date + 1)::timestamp at time zone 'America/Sao_Paulo')`;

/**
 * Adds a seller's payments of some days to a statement. Their amounts are those of `derivePayments`, which all other views
 * sum.
 *
 * `kind`: as `PaymentKind`, and `free` for an order that costs nothing. `check_state`: `confirmed` by the provider since it
 * was booked, `unchecked`, `contradicted` by its answer, or why it cannot be checked. `unconfirmed`: of its newest refund, what
 * waits for the seller; nothing does where the bank took the payment back. `can_ask`: as `canAskSql`. `statement_kind`: how the provider's
 * statement differs, null where it does not or was not read; by `statement_cents`.
 */
export function addPayments(
  statement: Statement,
  sellerId: string,
  { first, last }: Days,
): Cte<PaymentColumn> {
  const [start, end] = [startOf(first), endOf(last)];
  const saleColumns = sql.raw(`s.id as sale_id, s.status as sale_status, s.refunded_cents as sale_refunded,
    s.cancelled_checked_at is not null as is_cancellation_checked`);
  const booked = statement.add(
    "booked",
    sql`select c.id as charge_id, c.provider, c.gateway_key_id, c.paid_at, c.paid_cents as received, c.amount_cents as expected,
      c.created_at, c.buyer_cents, c.fee_cents as fee,
      case when c.status = 'mispaid' then 'amount-mismatch' when c.overpaid_at is not null then 'overpayment'
        else 'counts' end as kind,
      ${saleColumns}, (c.paid_at at time zone 'America/Sao_Paulo')::date as day
    from charges c inner join sales s on s.seller_id = c.seller_id and s.id = c.sale_id
    where c.seller_id = ${sellerId} and c.status in ('paid', 'mispaid') and c.paid_at >= ${start} and c.paid_at < ${end}
    union all
    select null, null, null, s.completed_at, s.amount_cents, s.amount_cents, null, null, s.fee_cents,
      case when s.amount_cents = 0 then 'free' else 'counts' end,
      ${saleColumns}, (s.completed_at at time zone 'America/Sao_Paulo')::date
    from sales s
    where s.seller_id = ${sellerId} and s.completed_at >= ${start} and s.completed_at < ${end}
      and not exists (select from charges c
        where c.seller_id = ${sellerId} and c.sale_id = s.id and c.status = 'paid' and c.overpaid_at is null)`,
  );
  const refunded = statement.add(
    "refunded",
    sql`select b.*, k.*, r.*, b.received - r.done as left_cents,
      case when k.is_charged_back then b.received
        when b.charge_id is null then b.sale_refunded else r.done end as returned
    from ${booked} b
      cross join lateral (select b.kind = 'counts' and b.sale_status = 'chargedback' as is_charged_back) k
      cross join lateral (
      -- Refunds may be of more: they were booked before the provider corrected the amount.
      select least(coalesce(sum(r.amount_cents) filter (where r.status = 'done'), 0), b.received)::int as done,
        least(coalesce(sum(r.amount_cents) filter (where r.status = 'done' and r.origin = 'recorded'), 0), b.received)::int as recorded,
        least(coalesce(sum(r.amount_cents) filter (where r.status = 'done' and r.origin = 'observed'), 0), b.received)::int as observed,
        sum(r.amount_cents) filter (where r.status = 'pending')::int as waiting,
        (array_agg(case when r.status = 'unconfirmed' and r.dismissed_at is null and not k.is_charged_back then r.amount_cents end
          order by r.requested_at desc, r.id desc))[1] as unconfirmed,
        max(r.ended_at) filter (where r.status = 'done') as returned_at
      from refunds r where r.seller_id = ${sellerId} and r.charge_id = b.charge_id
    ) r`,
  );
  const compared = statement.add(
    "compared",
    sql`select r.*, z.*, coalesce(z.stated = r.received or z.stated = r.buyer_cents, false) as is_stated from ${refunded} r
      cross join lateral ${statedSql(sellerId, sql`r.charge_id`)} z`,
  );
  const ofSeller = { sellerId: sql`${sellerId}` };
  const payment = { ...ofSeller, chargeId: sql`r.charge_id`, paidAt: sql`r.paid_at` };
  const accounts = statement.add(
    "accounts",
    sql`select a.provider, a.key_id, ${isKeyRefusedSql(sql`a.key_id`)} as is_key_refused
      from gateway_accounts a where a.seller_id = ${sellerId}`,
    "materialized",
  );
  const refusedOwnKey = lastRefusedKeySql(payment);
  return statement.add<PaymentColumn>(
    "payments",
    sql`select r.*, d.*, k.*, a.state as answer, coalesce(a.at, r.returned_at, r.stated_at) as confirmed_at,
      case when r.charge_id is null then 'no-charge'
        when r.left_cents <= 0 and r.recorded = 0 then 'confirmed'
        when a.state in ${CONFIRMING_STATES} then 'confirmed'
        when a.state is null and r.is_stated and r.stated_back = r.returned then 'confirmed'
        when r.left_cents <= 0 then 'refund-recorded'
        when a.state in ('cancelled', 'expired') and r.is_cancellation_checked then 'confirmed'
        when a.state is not null then 'contradicted'
        when g.is_key_refused then 'key-refused'
        -- A replaced account's key: whether the current one is refused says nothing about it.
        when r.gateway_key_id is distinct from g.key_id and ${refusedOwnKey} then 'key-refused'
        when not k.can_ask then 'key-missing'
        else 'unchecked' end as check_state,
      -- A scalar subquery: exists would be planned as a hash of all due rows.
      case when a.state is null then (select p.scheduled_at from paced_checks p
        where p.seller_id = ${sellerId} and p.charge_id = r.charge_id) <= now() end as is_scheduled
    from ${compared} r
      left join ${accounts} g on g.provider = r.provider
      left join lateral ${lastAnswerSql(payment)} a on true
      left join lateral ${differenceSql(sellerId)} d on true
      cross join lateral (select ${canAskSql({ ...ofSeller, provider: sql`r.provider`, keyId: sql`r.gateway_key_id` })} as can_ask) k`,
    "materialized",
  );
}

/** How the statements differ from a row `r` of `compared`, whose last answer is `a`: no row where they do not. */
function differenceSql(sellerId: string): SQL {
  const charge = { provider: sql`r.provider`, keyId: sql`r.gateway_key_id` };
  const isCovered = (from: SQL, to: SQL) => isCoveredSql(sellerId, charge, { from, to });
  const coveredBack = sql`(select coalesce(sum(f.amount_cents), 0)::int from refunds f
    where f.seller_id = ${sellerId} and f.charge_id = r.charge_id and f.status = 'done' and f.origin <> 'recorded'
      and ${isCovered(sql`case when f.origin = 'requested' then f.requested_at else r.paid_at end`, sql`f.ended_at`)})`;
  // What a bank took is returned after a dispute was won; until it is decided it is blocked.
  const isContested = sql`(r.sale_status = 'disputed' or exists (
    select from disputes e where e.seller_id = ${sellerId} and e.sale_id = r.sale_id and e.status = 'won'))`;
  return sql`(
    select * from (values
      ('statement-amount', case when r.stated is not null and not r.is_stated then abs(r.stated - r.received) end),
      (case when a.state in ${CONFIRMING_STATES} then 'statement-omits' else 'statement-missing' end,
        case when r.charge_id is not null and r.stated is null and r.left_cents > 0
          and ${isCovered(sql`r.created_at`, sql`r.paid_at`)} then r.left_cents end),
      ('statement-refund', case when r.stated_back > r.returned and not ${isContested} then r.stated_back - r.returned end),
      ('statement-no-refund', case when r.stated is not null and r.done - r.recorded > r.stated_back
        then greatest(least(${coveredBack}, r.received) - r.stated_back, 0) end)
    ) as v (statement_kind, statement_cents)
    where ${hasStatementsSql(sellerId)} and v.statement_cents > 0 limit 1)`;
}

/**
 * Adds the payments of those days that are not booked: a webhook announced them and no check has confirmed it, or they are in a
 * statement (`is_stated`). `can_ask`: as `canAskSql`.
 */
export function addAnnounced(
  statement: Statement,
  sellerId: string,
  { first, last }: Days,
): Cte<"charge_id" | "sale_id" | "amount_cents" | "provider" | "at" | "day" | "is_stated" | "can_ask"> {
  // A moment's grace: most are confirmed within seconds.
  const webhooked = statement.add(
    "webhooked",
    sql`select distinct on (w.charge_id) w.charge_id, c.sale_id, c.amount_cents, c.provider, c.gateway_key_id, w.received_at as at,
      (w.received_at at time zone 'America/Sao_Paulo')::date as day
    from payment_webhooks w cross join lateral (
      select sale_id, amount_cents, provider, gateway_key_id, status from charges where seller_id = w.seller_id and id = w.charge_id limit 1) c
    where w.seller_id = ${sellerId} and w.handled_at is null and w.state = 'paid' and c.status not in ('paid', 'mispaid')
      and w.received_at >= ${startOf(first)} and w.received_at < ${endOf(last)}
      and w.received_at < now() - interval '1 minute'
    order by w.charge_id, w.received_at desc`,
  );
  const stated = statement.add(
    "stated_payments",
    sql`select c.id as charge_id, c.sale_id, sum(l.amount_cents)::int as amount_cents, c.provider, c.gateway_key_id, min(l.at) as at,
      (min(l.at) at time zone 'America/Sao_Paulo')::date as day
    from statement_lines l inner join charges c on c.seller_id = l.seller_id and c.id = l.charge_id
    where l.seller_id = ${sellerId} and l.kind = 'payment' and c.status not in ('paid', 'mispaid')
      and l.at >= ${startOf(first)} and l.at < ${endOf(last)}
    group by c.id, c.sale_id, c.provider, c.gateway_key_id`,
  );
  return statement.add(
    "announced",
    sql`select p.*, ${canAskSql({ sellerId: sql`${sellerId}`, provider: sql`p.provider`, keyId: sql`p.gateway_key_id` })} as can_ask from (
      select *, false as is_stated from ${webhooked}
      union all
      select *, true from ${stated} where charge_id not in (select charge_id from ${webhooked})) p`,
  );
}
