import { sql } from "drizzle-orm";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";

/**
 * In a query on sales: the provider's id of the payment, of the one that counts, else of a paid one, else of the newest;
 * null where nothing was to be paid.
 */
export const transactionIdSql = sql<string | null>`(
    select c.provider_id from ${charges} c where c.seller_id = ${sales.sellerId} and c.sale_id = ${sales.id}
    order by (c.status = 'paid' and c.overpaid_at is null) desc, (c.status = 'paid') desc, c.created_at desc limit 1
  )`;
