import { type SQL, sql } from "drizzle-orm";
import { products, upsells } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/**
 * For a query on sales: whether the subject of an unpaid order is still for sale. A product must be active; an upsell
 * must be active itself, while its product may be inactive but not deleted.
 */
export const isForSale: SQL<boolean> = sql<boolean>`exists (select from ${products} p
  inner join ${sellers} v on v.id = p.seller_id and v.closed_at is null where p.id = ${sales.productId} and p.archived_at is null and case when ${sales.parentSaleId} is null
    then p.deactivated_at is null
    else exists (select from ${saleLines} l inner join ${upsells} o on o.id = l.upsell_id
      where l.seller_id = ${sales.sellerId} and l.sale_id = ${sales.id} and o.deactivated_at is null) end)`;
