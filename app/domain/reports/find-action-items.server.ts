import { type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { hasPendingRefund } from "#app/db/conditions.server.ts";
import type { EvidenceStatus } from "#app/db/schema/lists.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { isExtraDisputed, isPastReturnWindow } from "#app/domain/charge/check-times.server.ts";
import { UNDECIDED_AGE } from "#app/domain/charge/long-undecided.ts";
import { findGatewayTrouble, type Outage } from "#app/domain/gateway/find-gateway-trouble.server.ts";
import { describeRefusedCards } from "#app/domain/gateway/find-refused-cards.server.ts";
import { capitalizedNameOf } from "#app/domain/gateway/providers/name-with-article.server.ts";
import { ARRIVAL_PERIOD } from "#app/domain/sale/dispute/update-dispute.server.ts";
import { hasAccessCondition } from "#app/domain/sale/has-access-condition.server.ts";
import type { ActionItemKind } from "#app/domain/sale/payment-summary.ts";
import { SECOND } from "#app/kit/duration.ts";

/** How many the dashboard shows. */
const MAX_ITEMS = 20;
/** How many of the newest cards that have been undecided for long are read: some stay so beside an order that was paid otherwise. */
const MAX_UNDECIDED_CARDS = 1000;
/** How many of the newest mails that did not arrive are read at least: most were sent again since. */
const MAX_REFUSED_MAILS = 100;

/**
 * An action item: a gateway key (`provider` with its article, `unconfirmed` payments that it reported), a provider that creates
 * no codes, cards that one refused, or a sale. `hasSpare`: codes are created by another of the seller's providers. `stopsCards`:
 * the refused key is one that cards are charged with.
 */
export type ActionItem =
  | { kind: "key-refused"; provider: string; hasSpare: boolean; stopsCards: boolean; unconfirmed: number }
  | ({ kind: "provider-down"; hasSpare: boolean } & Outage)
  | { kind: "spare-failed"; provider: string }
  | ({ kind: "cards-refused" } & ReturnType<typeof describeRefusedCards>)
  | PaymentActionItem;

/** Money in cents; `since` is when it began to wait. */
type PaymentActionItem = {
  kind:
    | ActionItemKind
    | "refund-question"
    | "refund-by-hand"
    | "disputed"
    | "cancelled-after-paid"
    | "card-undecided"
    | "access-undelivered";
  saleId: string;
  /** The payment, where each one of the sale waits for itself; else null. */
  chargeId: string | null;
  productName: string;
  customerName: string | null;
  amountCents: number;
  since: Date;
  /** In a dispute what the provider says of the evidence, and until when it accepts any; null where it does not. */
  evidence: EvidenceStatus | null;
  dueAt: Date | null;
  /** Whether evidence was sent minutes ago: while it is `needed`, a check finds out whether that arrived. */
  isArriving: boolean;
};

/**
 * A seller's action items: the gateway first, since nobody can pay meanwhile, then at most `limit` others, newest first.
 * Each disappears by itself once it is resolved.
 */
export async function findActionItems(sellerId: string, limit = MAX_ITEMS): Promise<ActionItem[]> {
  const [
    {
      refused,
      outages: [outage],
      working,
      failedSpare,
      refusedCards,
    },
    waiting,
  ] = await Promise.all([findGatewayTrouble(sellerId), findPaymentActionItems(sellerId, limit)]);
  const hasSpare = working > 0;
  const items: ActionItem[] = [];
  for (const { provider, takesCards: stopsCards } of refused) {
    const unconfirmed = waiting.filter(({ reportedBy }) => reportedBy === provider).length;
    items.push({
      kind: "key-refused",
      provider: capitalizedNameOf(provider),
      hasSpare,
      stopsCards,
      unconfirmed,
    });
  }
  if (outage)
    items.push({ kind: "provider-down", hasSpare, ...outage, provider: capitalizedNameOf(outage.provider) });
  if (failedSpare) items.push({ kind: "spare-failed", provider: capitalizedNameOf(failedSpare) });
  if (refusedCards) items.push({ kind: "cards-refused", ...describeRefusedCards(refusedCards) });
  return [...items, ...waiting.map(({ reportedBy: _, ...item }) => item)];
}

/**
 * What waits for the seller: payments as the payment summary has them, one row each, since each is given back by itself; and one row
 * a sale of refund requests, disputes and access mails that did not arrive. Every part uses an index of this seller's action items, newest first, so that neither
 * other sellers' payments nor this one's older ones are read.
 */
async function findPaymentActionItems(sellerId: string, limit: number): Promise<Waiting[]> {
  const rows = await db.execute<ActionItemRow>(sql`
    with flagged as materialized (
      select s.id, s.status from sales s where s.seller_id = ${sellerId} and s.action_since is not null
        -- Of a payment that its bank took back only another payment of the sale can wait.
        and (s.status <> 'chargedback' or exists (select from charges c where c.seller_id = ${sellerId} and c.sale_id = s.id
          and (c.overpaid_at is not null or c.status = 'mispaid')))
      order by s.action_since desc limit ${limit}::int
    ), items as (
      select case when d.is_disputed then 'extra-disputed' when is_unconfirmed then 'refund-unconfirmed' when c.status = 'mispaid' then 'mispaid'
          when c.overpaid_at is not null then 'surplus' else 'refund-refused' end as kind, c.sale_id, c.id as charge_id,
        case when is_unconfirmed or is_refused then last.amount_cents else c.paid_cents - back.cents end as cents,
        case when is_unconfirmed or is_refused then last.ended_at else c.paid_at end as since, null as provider
      from flagged f cross join lateral (select * from charges where seller_id = ${sellerId} and sale_id = f.id limit 1000) c
        left join lateral (select case when dismissed_at is null then status end as status, amount_cents, ended_at
          from refunds where seller_id = ${sellerId} and charge_id = c.id order by requested_at desc, id desc limit 1) last on true
        cross join lateral (select ${isExtraDisputed(sql`c`)} as is_disputed) d
        cross join lateral (select last.status = 'unconfirmed' and not d.is_disputed as is_unconfirmed, last.status = 'refused' and c.overpaid_at is null and c.status <> 'mispaid'
          and f.status = 'completed' and not exists (select from refund_requests q where q.seller_id = ${sellerId} and q.sale_id = f.id
            and q.failed_at is not null and q.next_attempt_at is null and q.answer is distinct from 'declined') as is_refused) r
        cross join lateral (select coalesce(sum(amount_cents), 0)::int as cents from refunds
          where seller_id = ${sellerId} and charge_id = c.id and status = 'done') back
      where c.paid_cents > back.cents
        and (c.overpaid_at is not null or c.status = 'mispaid' or last.status = 'unconfirmed' and f.status <> 'chargedback' or is_refused)
        and not ${hasPendingRefund(sql`c`)}
      union all
      select distinct on (w.charge_id) 'news-waiting', w.sale_id, w.charge_id, w.amount_cents, w.received_at, w.provider from (
        select w.charge_id, c.sale_id, c.amount_cents, w.received_at, w.provider from payment_webhooks w
          cross join lateral (select sale_id, amount_cents, status from charges where id = w.charge_id limit 1) c
        where w.seller_id = ${sellerId} and w.handled_at is null and w.state = 'paid'
          and w.received_at < now() - interval '1 minute' and c.status not in ('paid', 'mispaid')
        order by w.received_at desc limit ${limit}::int) w
      union all
      (select 'refund-question', q.sale_id, null, o.left_cents, q.created_at, null
      from refund_requests q cross join lateral ${completedSaleSql(sql`r.amount_cents >= o.amount_cents - o.refunded_cents`)} o
      where q.seller_id = ${sellerId} and q.kind = 'question' and q.answer is null and o.has_buyer
      order by q.created_at desc limit ${limit}::int)
      union all
      (select 'disputed', d.sale_id, null, d.amount_cents, d.opened_at, null
      from disputes d where d.seller_id = ${sellerId} and d.status = 'open'
      order by d.opened_at desc limit ${limit}::int)
      union all
      (select 'cancelled-after-paid', o.id, null, o.amount_cents - o.refunded_cents, o.cancelled_since, null
      from sales o where o.seller_id = ${sellerId} and not ${isPastReturnWindow(sql`o.cancelled_since`)}
        and o.status = 'completed' and o.cancelled_checked_at is null and not exists (
          select from charges c inner join refunds r on r.seller_id = c.seller_id and r.charge_id = c.id
          where c.seller_id = o.seller_id and c.sale_id = o.id and c.status = 'paid' and c.overpaid_at is null and r.status = 'pending')
      order by o.cancelled_since desc limit ${limit}::int)
      union all
      -- An order stays pending this long only while a payment of it is undecided; a failed one stays so beside it.
      (select 'card-undecided', u.sale_id, null, u.amount_cents, u.created_at, null from (
        select distinct on (c.sale_id) c.sale_id, c.amount_cents, c.created_at from (
          select sale_id, amount_cents, created_at from charges
          where seller_id = ${sellerId} and status in ('unknown', 'in_review')
            and created_at < now() - ${UNDECIDED_AGE / SECOND}::int * interval '1 second'
          order by created_at desc limit ${MAX_UNDECIDED_CARDS}::int) c
          cross join lateral (select from sales where seller_id = ${sellerId} and id = c.sale_id and status in ('pending', 'failed') limit 1) o
        order by c.sale_id, c.created_at) u
      order by u.created_at desc limit ${limit}::int)
      union all
      (select 'refund-by-hand', q.sale_id, null, o.left_cents, q.failed_at, null
      from refund_requests q cross join lateral ${completedSaleSql()} o
      where q.seller_id = ${sellerId} and q.failed_at is not null and q.next_attempt_at is null
        and q.answer is distinct from 'declined'
      order by q.failed_at desc limit ${limit}::int)
      union all
      (select 'access-undelivered', m.sale_id, null, o.amount_cents, coalesce(m.bounced_at, m.created_at), null
      from (select sale_id, recipient, bounced_at, created_at from mails
          where seller_id = ${sellerId} and failure = 'refused' and kind in ('purchase', 'upsell', 'access')
          order by created_at desc limit ${Math.max(MAX_REFUSED_MAILS, limit)}::int) m
        cross join lateral (select amount_cents from ${sales}
          where id = m.sale_id and customer_email = m.recipient and ${hasAccessCondition} limit 1) o
      where not exists (select from mails n where n.seller_id = ${sellerId} and n.sale_id = m.sale_id
        and n.kind in ('purchase', 'upsell', 'access') and n.created_at > m.created_at)
      order by m.created_at desc limit ${limit}::int)
    ), newest as materialized (select * from items order by since desc limit ${limit}::int)
    select h.kind, h.sale_id as "saleId", h.charge_id as "chargeId", h.cents as "amountCents", h.since, s.customer_name as "customerName",
      (select l.name from sale_lines l where l.seller_id = ${sellerId} and l.sale_id = h.sale_id order by l.position limit 1) as "productName",
      e.evidence_status as evidence, e.evidence_due_at as "dueAt", coalesce(e.evidence_sent_at > now() - make_interval(secs => ${ARRIVAL_PERIOD / SECOND}), false) as "isArriving",
      h.provider as "reportedBy"
    from newest h cross join lateral (select customer_name from sales where id = h.sale_id limit 1) s
      left join lateral (select d.evidence_status, d.evidence_due_at, d.evidence_sent_at from disputes d where h.kind = 'disputed'
        and d.seller_id = ${sellerId} and d.sale_id = h.sale_id and d.status = 'open' limit 1) e on true
    order by h.since desc`);
  return rows.map((row) => ({
    ...row,
    since: new Date(row.since),
    dueAt: row.dueAt === null ? null : new Date(row.dueAt),
  }));
}

/** `reportedBy`: the provider whose webhook reported a payment that is not confirmed. */
type Waiting = PaymentActionItem & { reportedBy: string | null };

type ActionItemRow = Omit<Waiting, "since" | "dueAt"> & { since: string; dueAt: string | null };

/**
 * The sale `o` of a refund request `q`, while it is completed and its payment has no refund `r` under way that `answers` the request.
 * That of an overpayment, which may wait for its bank for months, answers none.
 */
const completedSaleSql = (answers: SQL = sql`true`) => sql`(
  select o.amount_cents - o.refunded_cents as left_cents, o.customer_email is not null as has_buyer from sales o
  where o.id = q.sale_id and o.status = 'completed' and not exists (
    select from charges c inner join refunds r on r.seller_id = c.seller_id and r.charge_id = c.id
    where c.seller_id = q.seller_id and c.sale_id = q.sale_id and c.status = 'paid' and c.overpaid_at is null
      and r.status = 'pending' and ${answers})
  limit 1)`;
