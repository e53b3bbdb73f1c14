import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { kindOf, kindsWhere } from "#app/domain/delivery/destinations.server.ts";

/** The kinds that need a buyer's consent. */
const ADVERTISER_KINDS = kindsWhere(({ advertiser }) => advertiser !== undefined);

/** The kinds of advertisers that are notified of a product's sales, as a column of a query on products. */
export const advertisersColumn = sql<string[]>`(
  select coalesce(json_agg(distinct d.kind), '[]') from ${destinations} d
  where d.seller_id = ${products}.seller_id and d.kind = any(${ADVERTISER_KINDS}) and d.stopped_at is null
    and (d.product_ids is null or ${products}.id = any(d.product_ids)))`;

/** A kind of advertiser, and how a checkout's question for consent calls it: `à Meta`. */
export type Advertiser = { kind: string; name: string };

/** The advertisers of `advertisersColumn`, with the names that the buyer reads. */
export function toAdvertisers(kinds: string[]): Advertiser[] {
  return kinds.map((kind) => ({ kind, name: kindOf(kind).advertiser! }));
}

/** Who is notified of a product's sales and needs the buyer's consent. */
export async function findAdvertisers(productId: number): Promise<Advertiser[]> {
  const [row] = await db
    .select({ kinds: advertisersColumn })
    .from(products)
    .where(eq(products.id, productId));
  return toAdvertisers(row?.kinds ?? []);
}
