import { type SQL, sql } from "drizzle-orm";
import { offers } from "#app/db/schema/offers.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";

const slugWhere = (isNamed: SQL) => sql<string | null>`coalesce((select o.slug from ${offers} o
  where o.seller_id = ${sales.sellerId} and o.id = ${sales.offerId} and o.kind <> 'tier' and ${isNamed}), ${products.checkoutSlug})`;

/**
 * For a query on sales and products: the slug of the checkout at which a sale was ordered, the offer's own or the product's;
 * null where there is none.
 */
export const orderedSlug: SQL<string | null> = slugWhere(sql`true`);

/** The same of the checkout at which its buyer may order again: not an offer's that cannot be ordered now (`findOfferProblem`). */
export const orderableSlug: SQL<string | null> = slugWhere(sql`o.deactivated_at is null
  and coalesce(o.starts_at <= now(), true) and coalesce(o.ends_at > now(), true)
  and coalesce(o.max_units - o.units >= o.min_quantity, true)`);
