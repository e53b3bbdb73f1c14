import { type SQL, sql } from "drizzle-orm";
import { products, upsellOffers } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/**
 * For a query on sales: whether what an unpaid order is for may still be had. A product must be on; an offer taken after
 * a purchase must be on itself, its product may be switched off by then but not deleted.
 */
export const isForSale: SQL<boolean> = sql<boolean>`exists (select from ${products} p
  inner join ${sellers} v on v.id = p.seller_id and v.closed_at is null where p.id = ${sales.productId} and p.archived_at is null and case when ${sales.parentSaleId} is null
    then p.deactivated_at is null
    else exists (select from ${saleLines} l inner join ${upsellOffers} o on o.id = l.upsell_offer_id
      where l.sale_id = ${sales.id} and o.deactivated_at is null) end)`;
