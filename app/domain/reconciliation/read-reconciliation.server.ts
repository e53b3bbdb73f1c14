import { sql } from "drizzle-orm";
import { readJsonColumn } from "#app/db/columns.server.ts";
import { reportsDb } from "#app/db/replica/read-clients.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import {
  DIFFERENCES,
  type Difference,
  type DifferenceCursor,
  type DifferenceKind,
} from "#app/domain/reconciliation/differences.ts";
import type { ReconciledDays } from "#app/domain/reconciliation/month.ts";
import {
  addAnnounced,
  addPayments,
  isCheckable,
  isStatementDifference,
} from "#app/domain/reconciliation/payments-sql.server.ts";
import { EMPTY_SUMS, type ReconciledDay } from "#app/domain/reconciliation/reconciled-day.ts";

/** Days without payments and differences are left out; the newest is first, and so are differences. */
export type Reconciliation = {
  days: ReconciledDay[];
  differences: Difference[];
  older: DifferenceCursor | null;
};

const kindsOf = (resolution: (typeof DIFFERENCES)[DifferenceKind]) =>
  sql.raw(
    `(${Object.entries(DIFFERENCES)
      .filter(([, one]) => one === resolution)
      .map(([kind]) => `'${kind}'`)
      .join(", ")})`,
  );

/** A day's sums, in the columns of `payments` (`payments-sql`). */
const daySums = sql`
  count(*) filter (where kind = 'counts')::int as sales, count(*) filter (where kind <> 'free')::int as payments,
  sum(received)::bigint as "receivedCents", sum(returned)::bigint as "refundedCents",
  coalesce(sum(fee), 0)::bigint as "feeCents", count(*) filter (where kind <> 'free' and fee is null)::int as "withoutFee",
  (sum(received) - sum(returned) - coalesce(sum(fee), 0))::bigint as "netCents",
  count(*) filter (where kind <> 'free' and check_state = 'confirmed')::int as confirmed,
  max(confirmed_at) filter (where check_state = 'confirmed') as "confirmedAt",
  count(*) filter (where check_state = 'unchecked')::int as unchecked,
  count(*) filter (where check_state = 'unchecked' and is_scheduled)::int as scheduled,
  count(*) filter (where ${isCheckable})::int as checkable,
  count(*) filter (where kind <> 'free'
    and check_state in ('key-refused', 'key-missing', 'no-charge', 'refund-recorded'))::int as uncheckable,
  count(*) filter (where kind in ('counts', 'free') and sale_status = 'completed')::int as "completedSales",
  coalesce(sum(received) filter (where kind = 'counts' and sale_status = 'completed'), 0)::bigint as "completedCents"`;

/** Differences of a payment, in the columns of `payments`. The same money is in one of the open ones at most. */
const differencesOfPayment = sql`(values
  (case when p.kind <> 'counts' then p.kind end,
    case when p.waiting is null and p.unconfirmed is null and p.check_state <> 'contradicted' then p.left_cents end),
  ('refund-pending', p.waiting),
  ('refund-unconfirmed', case when p.waiting is null and p.left_cents > 0 then p.unconfirmed end),
  (case when p.answer = 'unknown' then 'unknown-there' else 'not-paid-there' end,
    case when p.check_state = 'contradicted' and not p.is_charged_back then p.left_cents - coalesce(p.waiting, p.unconfirmed, 0) end),
  ('cancellation-checked',
    case when p.check_state = 'confirmed' and p.answer in ('cancelled', 'expired') then p.left_cents end),
  (p.statement_kind, case when ${isStatementDifference} or p.statement_kind = 'statement-omits' then p.statement_cents end),
  ('refund-observed', p.observed),
  ('refund-recorded', p.recorded),
  (case when p.check_state in ('key-refused', 'key-missing', 'no-charge') then p.check_state end, p.received)
)`;

/**
 * A month of a seller's payments beside what their providers say, day by day, and a page of its differences, in one statement.
 * @param limit payments with differences on a page
 */
export async function readReconciliation(
  sellerId: string,
  { month, day }: ReconciledDays,
  { limit, before }: { limit: number; before: DifferenceCursor | null },
): Promise<Reconciliation> {
  const onDay = day ? sql`day = ${day}::date` : sql`true`;
  const isOlder = before
    ? sql`(at, id) < (${before.at.toISOString()}::timestamptz, ${before.id}::uuid)`
    : sql`true`;
  const statement = new Statement();
  const payments = addPayments(statement, sellerId, month);
  const announced = addAnnounced(statement, sellerId, month);
  const all = statement.add(
    "differences",
    sql`select p.day, p.paid_at as at, coalesce(p.charge_id, p.sale_id) as id, p.charge_id, p.sale_id, d.kind, d.cents,
        p.received, p.expected, p.provider, p.can_ask
      from ${payments} p cross join lateral ${differencesOfPayment} as d (kind, cents)
      where p.kind <> 'free' and d.kind is not null and d.cents > 0
      union all
      select day, at, charge_id, charge_id, sale_id, case when is_stated then 'statement-unbooked' else 'announced' end,
        amount_cents, null, amount_cents, provider, can_ask from ${announced}`,
    "materialized",
  );
  const ofDay = statement.add(
    "of_day",
    sql`select day, count(*) filter (where kind in ${kindsOf("open")})::int as differences,
        coalesce(sum(cents) filter (where kind in ${kindsOf("open")}), 0)::bigint as "differenceCents",
        count(*) filter (where kind in ${kindsOf("explained")})::int as explained,
        count(*) filter (where kind in ('announced', 'statement-unbooked') and can_ask)::int as announced
      from ${all} group by day`,
  );
  const statementsOfDay = statement.add(
    "statements_of_day",
    sql`select day, count(*) filter (where read_at is not null)::int as "statementsRead",
        count(*) filter (where read_at is null and next_attempt_at is not null)::int as "statementsPending", sum(other_payments)::int as "otherPayments"
      from statements where seller_id = ${sellerId} and day between ${month.first}::date and ${month.last}::date group by day`,
  );
  const days = statement.add(
    "days",
    sql`select * from (select day, ${daySums} from ${payments} group by day) p full join ${ofDay} using (day)
        full join ${statementsOfDay} using (day)`,
  );
  const page = statement.add(
    "page",
    sql`select distinct at, id from ${all} where ${onDay} and ${isOlder} order by at desc, id desc limit ${limit + 1}`,
  );
  const listed = statement.add(
    "listed",
    sql`select x.kind, x.day, x.at, x.id, x.charge_id as "chargeId", x.sale_id as "saleId", x.cents,
        x.received as "receivedCents", x.expected as "expectedCents", x.provider, x.can_ask as "canAsk", s.customer_name as "customerName",
        (select l.name from sale_lines l where l.seller_id = ${sellerId} and l.sale_id = x.sale_id
          order by l.position limit 1) as "productName"
      from (select * from ${page} order by at desc, id desc limit ${limit}) g
        inner join ${all} x using (at, id)
        cross join lateral (select customer_name from sales where seller_id = ${sellerId} and id = x.sale_id limit 1) s`,
  );
  const result = statement.add(
    "result",
    sql`select (select coalesce(json_agg(d order by d.day desc), '[]') from ${days} d) as days,
      (select coalesce(json_agg(l order by l.at desc, l.id desc, l.kind), '[]') from ${listed} l) as differences,
      (select count(*)::int from ${page}) as found`,
  );
  const [row] = await reportsDb.execute<{ days: unknown; differences: unknown; found: number }>(
    statement.selectFrom(result, sql`*`),
  );
  const differences = readJsonColumn<(Stored<Difference, "at"> & { id: string })[]>(row!.differences);
  const last = differences.at(-1);
  return {
    days: readJsonColumn<StoredDay[]>(row!.days).map(toDay),
    differences: differences.map(({ id: _, ...one }) => ({ ...one, at: new Date(one.at) })),
    older: row!.found > limit && last ? { at: new Date(last.at), id: last.id } : null,
  };
}

/** As JSON holds it: moments as text. */
type Stored<T, Moment extends keyof T> = Omit<T, Moment> & Record<Moment, string>;

type StoredDay = Stored<ReconciledDay, "confirmedAt"> & { announced: number | null };

/** A day has no sums where it has only announced payments, and no differences where there are none. */
function toDay({ announced, ...row }: StoredDay): ReconciledDay {
  const known = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
  return {
    ...{ ...EMPTY_SUMS, ...known, day: row.day },
    confirmedAt: row.confirmedAt ? new Date(row.confirmedAt) : null,
    checkable: (row.checkable ?? 0) + (announced ?? 0),
  };
}
