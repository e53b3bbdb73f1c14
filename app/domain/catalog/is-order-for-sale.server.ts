import { type SQL, sql } from "drizzle-orm";
import { products, upsells } from "#app/db/schema/products.server.ts";
import { saleLines } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/**
 * Whether the subject of an unpaid order `s` is still for sale. A product must be active; an upsell must be active itself, while
 * its product may be inactive but not deleted.
 * @param s the name of the table of sales in the statement
 */
export function isOrderForSale(s: SQL): SQL<boolean> {
  return sql<boolean>`exists (select from ${products} p
    inner join ${sellers} v on v.id = p.seller_id and v.closed_at is null where p.id = ${s}.product_id and p.archived_at is null
      and case when ${s}.parent_sale_id is null then p.deactivated_at is null
        else exists (select from ${saleLines} l inner join ${upsells} o on o.id = l.upsell_id
          where l.seller_id = ${s}.seller_id and l.sale_id = ${s}.id and o.deactivated_at is null) end)`;
}

/**
 * Whether the purchase before an order `s` was returned or is disputed, or its buyer asked for its money: its upsell is sold no
 * longer.
 * @param s the name of the table of sales in the statement
 */
export function isOrderParentOver(s: SQL): SQL<boolean> {
  return sql<boolean>`exists (
    select from sales p where p.seller_id = ${s}.seller_id and p.id = ${s}.parent_sale_id and (p.status <> 'completed'
      or exists (select from refund_requests r where r.seller_id = p.seller_id and r.sale_id = p.id and r.answer is distinct from 'declined')))`;
}
