import { sql } from "drizzle-orm";
import { hasPendingCard } from "#app/db/conditions.server.ts";
import { ACCESS_KINDS } from "#app/domain/delivery/destinations.server.ts";

// Conditions on sales `s`.

/** A PIX code can be paid now, or is being created. */
export const isPixOpen = sql`exists (
  select from charges c where c.seller_id = s.seller_id and c.sale_id = s.id and c.method = 'pix' and (
    (c.status = 'open' and coalesce(c.expires_at, 'infinity') > now())
    or (c.status = 'creating' and coalesce(c.creating_until, c.created_at + interval '1 day') > now())))`;

/** There is such a code, a card payment is undecided, or an announced payment is not booked yet. */
const isBeingPaid = sql`(${isPixOpen} or ${hasPendingCard(sql`s`)} or exists (
  select from charges c where c.seller_id = s.seller_id and c.sale_id = s.id and c.status not in ('paid', 'mispaid') and exists (
    select from payment_webhooks w where w.seller_id = c.seller_id and w.charge_id = c.id and w.handled_at is null and w.state = 'paid')))`;

/** An overpayment or an amount mismatch that was not fully refunded and still has to be. */
const hasUnreturnedPayment = sql`exists (
  select from charges c where c.seller_id = s.seller_id and c.sale_id = s.id and (c.status = 'mispaid' or c.overpaid_at is not null)
    and c.paid_cents > coalesce((select sum(r.amount_cents) from refunds r where r.seller_id = c.seller_id and r.charge_id = c.id and r.status = 'done'), 0))`;

/** A refund is pending, or a refund request is not declined and not done. */
const isBeingRefunded = sql`(exists (
  select from refund_requests r where r.seller_id = s.seller_id and r.sale_id = s.id and s.status = 'completed' and r.answer is distinct from 'declined'
) or exists (
  select from refunds r inner join charges c on r.seller_id = c.seller_id and r.charge_id = c.id where c.seller_id = s.seller_id and c.sale_id = s.id and r.status = 'pending'))`;

/** Its payment is disputed: whoever answers the bank has to know whose it was. */
const isDisputed = sql`s.status = 'disputed'`;

/**
 * The end of an access of its buyer at its seller has not reached a member area, which knows the buyer by e-mail alone: until then
 * their other purchases tell what stays open. One that was refused, or met a paused area, waits for its seller, who can send it again
 * while it is not too old for that, unless the area accepted it before. Not `EXISTS`, which may be planned as a hash of all sellers'
 * closings.
 */
const isBeingClosed = sql`(select true from sales x
    inner join deliveries o on o.seller_id = x.seller_id and o.sale_id = x.id
    inner join destinations d on d.id = o.destination_id
  where s.completed_at is not null and x.seller_id = s.seller_id and x.customer_email = s.customer_email
    and x.completed_at is not null and o.event = 'access.revoked' and (o.status = 'queued'
      or (o.status = 'refused' or o.status = 'dropped' and o.reason = 'stopped')
        and not o.attempt_log @> '[{"result": "taken"}]' and o.created_at > now() - interval '30 days')
    and d.kind = any(${ACCESS_KINDS}) and d.deleted_at is null limit 1) is not null`;

/** What an erasure waits for: until it has ended, buyer and seller must be able to reach each other. */
export const isUnfinished = sql`(${isBeingPaid} or ${hasUnreturnedPayment} or ${isBeingRefunded} or ${isDisputed} or ${isBeingClosed})`;

/** Nobody paid it, and nobody can pay it now. */
export const isLeftUnpaid = sql`(s.completed_at is null and not ${isBeingPaid} and not ${hasUnreturnedPayment})`;
