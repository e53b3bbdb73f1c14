import { and, asc, desc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { inSellersTurn } from "#app/db/version.server.ts";
import { findUtmify, isUtmifyOf } from "#app/domain/outbox/utmify/connection.server.ts";
import { keepUtmify } from "#app/domain/outbox/utmify/keep-utmify.server.ts";
import { cutPage } from "#app/kit/cut-page.ts";
import { notFound } from "#app/kit/refusal.ts";

/** A seller's products with whether each is reported; one that was never switched is. Price in cents. */
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

/** Where in the list a page begins: beyond the product of this number. */
export type TrackedPlace = { id: number };

/** A page of the same list, by name: `before` is the last one above it, `after` the first one below it. */
export async function pageTrackedProducts(
  sellerId: string,
  page: { limit: number; before: TrackedPlace | null; after: TrackedPlace | null },
) {
  const { limit, before, after } = page;
  const order = after ? desc : asc;
  const rows = await query(
    sellerId,
    after
      ? sql`${place} < ${placeOf(sellerId, after)}`
      : before
        ? sql`${place} > ${placeOf(sellerId, before)}`
        : undefined,
  )
    .orderBy(order(products.name), order(products.id))
    .limit(limit + 1);
  return cutPage(rows, page);
}

const place = sql`(${products.name}, ${products.id})`;
const placeOf = (sellerId: string, { id }: TrackedPlace) =>
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

/** Keeps which of a seller's products are reported. @throws Refusal not-found for a product that is not theirs */
export async function saveTrackedProducts(sellerId: string, wanted: Map<number, boolean>): Promise<void> {
  await inSellersTurn(sellerId, (tx) => keepTrackedProducts(sellerId, wanted, tx));
}

/** The same within a transaction. */
export async function keepTrackedProducts(
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
    .where(eq(destinations.id, utmify?.id ?? (await keepUtmify(tx, sellerId, {}))));
}
