import { sql } from "drizzle-orm";
import { qualified } from "#app/db/columns.server.ts";
import { hasPendingCard } from "#app/db/conditions.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import {
  isOrderBumpGone,
  isOrderForSale,
  isOrderParentOver,
} from "#app/domain/catalog/find-for-sale.server.ts";

/**
 * Whether a PIX code can be paid now, as a column of a query on charges. A payable older code sorts before a newer one that is
 * not.
 */
export const isPayable = sql<boolean>`coalesce(${charges.status} = 'open' and coalesce(${charges.expiresAt}, 'infinity') > now(), false)`;

/** `hasPendingCard` of a query on sales. */
export const isCardPending = hasPendingCard(sql`${sales}`);

/** The charges `o` of a sale that may still pay it, for a query on sales: a code is open or being made, or a card is not decided. */
const payableCharges = sql`from charges o where o.seller_id = ${qualified(sales.sellerId)} and o.sale_id = ${qualified(sales.id)}
  and (o.status in ('unknown', 'in_review') or (o.status = 'open' and coalesce(o.expires_at, 'infinity') > now())
    or (o.status = 'creating' and (o.method = 'card' or o.creating_until > now())))`;

/** Whether a sale may still be paid by a charge that it has, as a condition of a query on sales. */
export const hasPayable = sql<boolean>`exists (select ${payableCharges})`;

/** Whether it may be by another charge than this one, as a column of a query on sales. The sale does not fail then. */
export const hasOtherPayable = (chargeId: string) =>
  sql<boolean>`exists (select ${payableCharges} and o.id <> ${chargeId})`;

/** Whether a webhook announced a payment that is not booked yet, as a column or a condition of a query on sales. */
export const isPaymentAnnounced = sql<boolean>`exists (
  select from charges c inner join payment_webhooks w on w.seller_id = c.seller_id and w.charge_id = c.id
  where c.seller_id = ${qualified(sales.sellerId)} and c.sale_id = ${qualified(sales.id)} and c.status not in ('paid', 'mispaid') and w.handled_at is null and w.state = 'paid')`;

/** Whether a payment of an unpaid sale may have been made and is not known yet: nobody is to pay it again meanwhile. */
export const isBeingConfirmed = sql<boolean>`(${isPaymentAnnounced} or ${isCardPending})`;

/** Whether what an unpaid order is for is still sold; an upsell only while the purchase before it stands. */
export const isForSale = sql<boolean>`(${isOrderForSale(sql`${sales}`)} and not ${isOrderParentOver(sql`${sales}`)})`;

/** Whether a bump of an unpaid order is not sold any more. */
export const isBumpGone = isOrderBumpGone(sql`${sales}`);
