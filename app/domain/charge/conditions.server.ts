import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { qualified } from "#app/db/columns.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { UNDECIDED_CARD } from "#app/domain/sale/states.ts";

/** Whether a charge is the payment of its sale (`isSalePayment`), as a condition of a query on charges. */
export const isSalePaymentSql = and(eq(charges.status, "paid"), isNull(charges.overpaidAt))!;

/**
 * Whether a PIX code can be paid now, as a column of a query on charges. A payable older code sorts before a newer one that is
 * not.
 */
export const isPayable = sql<boolean>`coalesce(${charges.status} = 'open' and coalesce(${charges.expiresAt}, 'infinity') > now(), false)`;

/**
 * Whether a card payment of a sale is not decided yet: it may still be approved, and its page says not to pay again. One whose
 * process died is decided by `sweepCharges`.
 * @param sale the table `sales` or its alias in the query
 */
export const hasPendingCard = (sale: SQL) => sql<boolean>`exists (
  select from charges c where c.seller_id = ${sale}.seller_id and c.sale_id = ${sale}.id and c.method = 'card'
    and c.status in (${sql.join(
      UNDECIDED_CARD.map((status) => sql`${status}`),
      sql`, `,
    )}))`;

export const isCardPending = hasPendingCard(sql`${sales}`);

/**
 * Whether a sale may still be paid by another charge than this one, as a column of a query on sales: another code is open or being
 * made, or a card is not decided. The sale does not fail then.
 */
export const hasOtherPayable = (chargeId: string) => sql<boolean>`exists (
  select from charges o where o.seller_id = ${qualified(sales.sellerId)} and o.sale_id = ${qualified(sales.id)} and o.id <> ${chargeId}
    and (o.status in ('unknown', 'in_review') or (o.status = 'open' and o.expires_at > now())
      or (o.status = 'creating' and (o.method = 'card' or o.creating_until > now()))))`;
