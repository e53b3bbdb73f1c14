import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { findGateway } from "#app/domain/gateway/find-gateway.server.ts";
import { isKeyRefused } from "#app/domain/gateway/is-key-refused.server.ts";
import { calledFirst } from "#app/domain/gateway/providers/called.server.ts";
import type { Hand } from "#app/domain/sale/standing.ts";

/** What waits for its seller: the gateway key (`provider` with its article), or a payment. */
export type WaitingHand = { hand: "key-refused"; provider: string } | WaitingPayment;

/** Money in cents; `since` is when it began to wait. */
type WaitingPayment = {
  hand: Hand | "refund-question" | "refund-by-hand";
  saleId: string;
  productName: string;
  customerName: string | null;
  amountCents: number;
  since: Date;
};

/**
 * What needs a hand of a seller: the gateway key first, since nobody can pay meanwhile, then payments, newest first, at most
 * 20. Each leaves by itself when it is mended.
 */
export async function findHands(sellerId: string): Promise<WaitingHand[]> {
  const [key, payments] = await Promise.all([refusedKey(sellerId), waitingPayments(sellerId)]);
  return [...key, ...payments];
}

async function refusedKey(sellerId: string): Promise<WaitingHand[]> {
  if (!(await isKeyRefused(sellerId))) return [];
  const gateway = await findGateway(sellerId);
  return [{ hand: "key-refused", provider: gateway ? calledFirst(gateway.provider) : "O provedor" }];
}

/** Says what `standing` says of each sale. Read along indexes that hold such rows alone. */
async function waitingPayments(sellerId: string): Promise<WaitingPayment[]> {
  const rows = await db.execute<Omit<WaitingPayment, "since"> & { since: string }>(sql`
    with extra as (
      select c.id, c.sale_id, c.paid_at, c.status, c.paid_cents - coalesce(
        (select sum(r.amount_cents) from refunds r where r.charge_id = c.id and r.status = 'done'), 0)::int as left_cents
      from charges c where c.surplus_at is not null or c.status = 'mispaid'
    ), unconfirmed as (
      select r.charge_id, r.ended_at, r.amount_cents from refunds r
      where r.status = 'unconfirmed' and not exists (
        select from refunds n where n.charge_id = r.charge_id and (n.requested_at > r.requested_at or n.status = 'pending'))
    ), hands as (
      select case e.status when 'mispaid' then 'mispaid' else 'surplus' end as hand, e.sale_id, e.left_cents as cents, e.paid_at as since
      from extra e where e.left_cents > 0
        and not exists (select from refunds r where r.charge_id = e.id and r.status = 'pending')
        and not exists (select from unconfirmed u where u.charge_id = e.id)
      union all
      select 'refund-unconfirmed', c.sale_id, u.amount_cents, u.ended_at
      from unconfirmed u inner join charges c on c.id = u.charge_id
      where coalesce((select sum(d.amount_cents) from refunds d where d.charge_id = c.id and d.status = 'done'), 0) < c.paid_cents
      union all
      select distinct on (c.id) 'news-waiting', c.sale_id, c.amount_cents, w.received_at
      from payment_webhooks w inner join charges c on c.id = w.charge_id
      where w.handled_at is null and w.state = 'paid' and c.status not in ('paid', 'mispaid')
        and w.received_at < now() - interval '1 minute'
      union all
      select 'refund-question', q.sale_id, o.amount_cents - o.refunded_cents, q.created_at
      from refund_requests q inner join sales o on o.id = q.sale_id
      where q.seller_id = ${sellerId} and q.kind = 'question' and q.answer is null and o.status = 'completed'
        and not exists (select from charges c inner join refunds r on r.charge_id = c.id
          where c.sale_id = q.sale_id and r.status = 'pending')
      union all
      select 'refund-by-hand', q.sale_id, o.amount_cents - o.refunded_cents, q.failed_at
      from refund_requests q inner join sales o on o.id = q.sale_id
      where q.seller_id = ${sellerId} and q.failed_at is not null and q.next_try_at is null
        and q.answer is distinct from 'declined' and o.status = 'completed'
        and not exists (select from charges c inner join refunds r on r.charge_id = c.id
          where c.sale_id = q.sale_id and r.status = 'pending')
    )
    select h.hand, h.sale_id as "saleId", h.cents as "amountCents", h.since, s.customer_name as "customerName",
      (select l.name from sale_lines l where l.sale_id = s.id order by l.position limit 1) as "productName"
    from hands h inner join sales s on s.id = h.sale_id
    where s.seller_id = ${sellerId} order by h.since desc limit 20`);
  return rows.map((row) => ({ ...row, since: new Date(row.since) }));
}
