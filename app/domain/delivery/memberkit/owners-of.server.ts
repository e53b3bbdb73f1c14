import { and, eq, inArray } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";

/** Maps item codes (`itemCode`) to the product each belongs to; other sellers' are left out. */
export async function ownersOf(tx: Db, sellerId: string, codes: string[]): Promise<Map<string, number>> {
  const ids = (kind: string) =>
    codes.filter((code) => code.startsWith(kind)).map((code) => Number(code.slice(kind.length)));
  const own = eq(products.sellerId, sellerId);
  const main = await tx
    .select({ id: products.id })
    .from(products)
    .where(and(own, inArray(products.id, codes.filter((code) => /^\d+$/.test(code)).map(Number))));
  const bumps = await tx
    .select({ id: orderBumps.id, productId: orderBumps.productId })
    .from(orderBumps)
    .innerJoin(products, eq(products.id, orderBumps.productId))
    .where(and(own, inArray(orderBumps.id, ids("bump-"))));
  const upsellRows = await tx
    .select({ id: upsells.id, productId: upsells.productId })
    .from(upsells)
    .innerJoin(products, eq(products.id, upsells.productId))
    .where(and(own, inArray(upsells.id, ids("offer-"))));
  return new Map([
    ...main.map(({ id }): [string, number] => [String(id), id]),
    ...bumps.map(({ id, productId }): [string, number] => [`bump-${id}`, productId]),
    ...upsellRows.map(({ id, productId }): [string, number] => [`offer-${id}`, productId]),
  ]);
}
