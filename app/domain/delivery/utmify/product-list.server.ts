import { and, asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { nameContains } from "#app/domain/catalog/list-products.server.ts";
import { MAX_PRODUCTS } from "#app/domain/delivery/form-card.ts";
import { isUtmifyOf } from "#app/domain/delivery/utmify/connection.server.ts";
import { type NamedCursor, paginate } from "#app/kit/paginate.ts";

/** A seller's products and whether each is reported, which is the default. Price in cents. */
export type TrackedProduct = {
  id: number;
  name: string;
  priceCents: number;
  isActive: boolean;
  isEnabled: boolean;
};

export async function listTrackedProducts(sellerId: string, tx: Db = db): Promise<TrackedProduct[]> {
  return query(sellerId, undefined, tx).orderBy(asc(products.name), asc(products.id));
}

/** The products of that list that a page switches: the first whose names contain `search`, and whether there are more of these. */
export async function listSwitchedProducts(sellerId: string, search: string, tx: Db = db) {
  const rows = await query(sellerId, nameContains(search), tx)
    .orderBy(asc(products.name), asc(products.id))
    .limit(MAX_PRODUCTS + 1);
  return { products: rows.slice(0, MAX_PRODUCTS), isMore: rows.length > MAX_PRODUCTS };
}

/** A page of that list, by name: `before` is the last product of the page before it, `after` the first of the one after it. */
export async function pageTrackedProducts(
  sellerId: string,
  page: { limit: number; before: NamedCursor | null; after: NamedCursor | null },
) {
  const { limit, before, after } = page;
  const order = after ? desc : asc;
  const rows = await query(
    sellerId,
    after
      ? sql`${productCursor} < ${cursorOf(after)}`
      : before
        ? sql`${productCursor} > ${cursorOf(before)}`
        : undefined,
  )
    .orderBy(order(products.name), order(products.id))
    .limit(limit + 1);
  return paginate(rows, page);
}

const productCursor = sql`(${products.name}, ${products.id})`;
const cursorOf = ({ id, name }: NamedCursor) => sql`(${name}::text, ${id}::bigint)`;

function query(sellerId: string, beyond?: SQL, tx: Db = db) {
  return tx
    .select({
      id: products.id,
      name: products.name,
      priceCents: products.priceCents,
      isActive: sql<boolean>`${products.deactivatedAt} is null`,
      isEnabled: sql<boolean>`coalesce(${products.id} <> all(${destinations.exceptProductIds}), true)`,
    })
    .from(products)
    .leftJoin(destinations, isUtmifyOf(sellerId))
    .where(and(eq(products.sellerId, sellerId), isNull(products.archivedAt), beyond));
}
