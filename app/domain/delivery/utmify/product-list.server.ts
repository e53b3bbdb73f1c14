import { and, asc, desc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { withSellerLock } from "#app/db/version.server.ts";
import { findUtmify, isUtmifyOf } from "#app/domain/delivery/utmify/connection.server.ts";
import { storeUtmify } from "#app/domain/delivery/utmify/store-utmify.server.ts";
import { paginate } from "#app/kit/paginate.ts";
import { notFound } from "#app/kit/refusal.ts";

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

/** A page cursor: after the product of this number. */
export type TrackedProductCursor = { id: number };

/** A page of that list, by name: `before` is the product below its end, `after` the one above its start. */
export async function pageTrackedProducts(
  sellerId: string,
  page: { limit: number; before: TrackedProductCursor | null; after: TrackedProductCursor | null },
) {
  const { limit, before, after } = page;
  const order = after ? desc : asc;
  const rows = await query(
    sellerId,
    after
      ? sql`${productCursor} < ${cursorOf(sellerId, after)}`
      : before
        ? sql`${productCursor} > ${cursorOf(sellerId, before)}`
        : undefined,
  )
    .orderBy(order(products.name), order(products.id))
    .limit(limit + 1);
  return paginate(rows, page);
}

const productCursor = sql`(${products.name}, ${products.id})`;
const cursorOf = (sellerId: string, { id }: TrackedProductCursor) =>
  sql`(select p.name, p.id from products p where p.id = ${id} and p.seller_id = ${sellerId})`;

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

/** Saves which of a seller's products are reported. @throws Refusal not-found for a product that is not theirs */
export async function saveTrackedProducts(sellerId: string, wanted: Map<number, boolean>): Promise<void> {
  await withSellerLock(sellerId, (tx) => storeTrackedProducts(sellerId, wanted, tx));
}

/** The same within a transaction. */
export async function storeTrackedProducts(
  sellerId: string,
  wanted: Map<number, boolean>,
  tx: Db,
): Promise<void> {
  if (wanted.size === 0) return;
  const ids = [...wanted.keys()];
  const own = await tx
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.sellerId, sellerId), inArray(products.id, ids)));
  if (own.length !== ids.length) throw notFound("Produto não encontrado");
  const utmify = await findUtmify(sellerId, tx);
  const off = new Set(utmify?.exceptProductIds ?? []);
  for (const [id, isOn] of wanted) isOn ? off.delete(id) : off.add(id);
  await tx
    .update(destinations)
    .set({ exceptProductIds: [...off].sort((a, b) => a - b), updatedAt: new Date() })
    .where(eq(destinations.id, utmify?.id ?? (await storeUtmify(tx, sellerId, {}))));
}
