import { sql } from "drizzle-orm";

/**
 * Whether a sale may still be paid by another charge than this one, as a column of a query on sales: another code is open or being
 * made, or a card is not decided. The sale does not fail then. Its table is named here, since Drizzle leaves the name out in a
 * query on one table.
 */
export const hasOtherPayable = (chargeId: string) => sql<boolean>`exists (
  select from charges o where o.seller_id = sales.seller_id and o.sale_id = sales.id and o.id <> ${chargeId}
    and (o.status in ('unknown', 'in_review') or (o.status = 'open' and o.expires_at > now())
      or (o.status = 'creating' and (o.method = 'card' or o.creating_until > now()))))`;
