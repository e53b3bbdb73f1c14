import { type SQL, sql } from "drizzle-orm";
import { offers } from "#app/db/schema/offers.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";

/**
 * For a query on sales and products: the slug of the checkout at which a sale was ordered, the offer's own or the product's;
 * null where there is none.
 */
export const orderedSlug: SQL<string | null> = sql<string | null>`coalesce((select o.slug from ${offers} o
  where o.seller_id = ${sales.sellerId} and o.id = ${sales.offerId} and o.kind <> 'tier'), ${products.checkoutSlug})`;
