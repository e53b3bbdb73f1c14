import { sql } from "drizzle-orm";

// Conditions on sales `s`.

/** A code of it can be paid now, or is being made, or a payment was announced that is not booked yet. */
const isBeingPaid = sql`exists (
  select from charges c where c.sale_id = s.id and (
    (c.status = 'open' and coalesce(c.expires_at, 'infinity') > now())
    or (c.status = 'creating' and coalesce(c.creating_until, c.created_at + interval '1 day') > now())
    or (c.status not in ('paid', 'mispaid') and exists (
      select from payment_webhooks w where w.charge_id = c.id and w.handled_at is null and w.state = 'paid'))))`;

/** More came for it than went back: a second payment, or one of another amount. Somebody has to give it back. */
const holdsStrayMoney = sql`exists (
  select from charges c where c.sale_id = s.id and (c.status = 'mispaid' or c.surplus_at is not null)
    and c.paid_cents > coalesce((select sum(r.amount_cents) from refunds r where r.charge_id = c.id and r.status = 'done'), 0))`;

/** Its buyer waits for money, or for an answer. */
const isBeingGivenBack = sql`(exists (
  select from refund_requests r where r.sale_id = s.id and s.status = 'completed' and r.answer is distinct from 'declined'
) or exists (
  select from refunds r inner join charges c on c.id = r.charge_id where c.sale_id = s.id and r.status = 'pending'))`;

/** Its payment is contested: who is to answer the bank has to know whose it was. */
const isDisputed = sql`s.status = 'disputed'`;

/** What a buyer who wants to be forgotten waits for: until it has ended they can still be reached, and reach us. */
export const isUnfinished = sql`(${isBeingPaid} or ${holdsStrayMoney} or ${isBeingGivenBack} or ${isDisputed})`;

/** Nobody paid it, and nobody can just now. */
export const isLeftUnpaid = sql`(s.completed_at is null and not ${isBeingPaid} and not ${holdsStrayMoney})`;
