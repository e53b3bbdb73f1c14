import { sql } from "drizzle-orm";
import { sales } from "#app/db/schema/sales.server.ts";
import { UNDECIDED_CARD } from "#app/domain/sale/states.ts";

/**
 * Whether a card payment of a sale is not decided yet, as a column of a query on sales: it may still be approved. One whose
 * process died is decided by `sweepCharges`.
 */
export const isCardPending = sql<boolean>`exists (
  select from charges c where c.seller_id = ${sales.sellerId} and c.sale_id = ${sales.id} and c.method = 'card'
    and c.status in (${sql.join(
      UNDECIDED_CARD.map((status) => sql`${status}`),
      sql`, `,
    )}))`;
