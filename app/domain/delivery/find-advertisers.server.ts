import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { ADVERTISER_KINDS, kindOf } from "#app/domain/delivery/destinations.server.ts";

/** The kinds of advertisers that are notified of a product's sales, as a column of a query on products. */
export const advertisersColumn = sql<string[]>`(
  select coalesce(json_agg(distinct d.kind), '[]') from ${destinations} d
  where d.seller_id = ${products}.seller_id and d.kind = any(${ADVERTISER_KINDS}) and d.stopped_at is null
    and (d.product_ids is null or ${products}.id = any(d.product_ids)))`;

/** The same as a checkout's question for consent calls them: `à Meta`. */
export function advertiserNames(kinds: string[]): string[] {
  return kinds.map((kind) => kindOf(kind).advertiser!);
}

/** Who is notified of a product's sales and needs the buyer's consent. */
export async function findAdvertisers(productId: number): Promise<string[]> {
  const [row] = await db
    .select({ kinds: advertisersColumn })
    .from(products)
    .where(eq(products.id, productId));
  return advertiserNames(row?.kinds ?? []);
}
