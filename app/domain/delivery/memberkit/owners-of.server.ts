import { inArray } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { productNotFound } from "#app/domain/catalog/parse-product-id.ts";

/**
 * Maps item codes (`itemCode`) to the product each belongs to. Read by id alone, which no two sellers share: another seller's
 * item is refused, a deleted one is left out.
 * @throws Refusal not-found for another seller's item
 */
export async function ownersOf(tx: Db, sellerId: string, codes: string[]): Promise<Map<string, number>> {
  const ids = (kind: string) =>
    codes.filter((code) => code.startsWith(kind)).map((code) => Number(code.slice(kind.length)));
  const main = await tx
    .select({ id: products.id, sellerId: products.sellerId })
    .from(products)
    .where(inArray(products.id, codes.filter((code) => /^\d+$/.test(code)).map(Number)));
  const bumps = await tx
    .select({ id: orderBumps.id, productId: orderBumps.productId, sellerId: orderBumps.sellerId })
    .from(orderBumps)
    .where(inArray(orderBumps.id, ids("bump-")));
  const upsellRows = await tx
    .select({ id: upsells.id, productId: upsells.productId, sellerId: upsells.sellerId })
    .from(upsells)
    .where(inArray(upsells.id, ids("offer-")));
  if ([...main, ...bumps, ...upsellRows].some((item) => item.sellerId !== sellerId)) throw productNotFound();
  return new Map([
    ...main.map(({ id }): [string, number] => [String(id), id]),
    ...bumps.map(({ id, productId }): [string, number] => [`bump-${id}`, productId]),
    ...upsellRows.map(({ id, productId }): [string, number] => [`offer-${id}`, productId]),
  ]);
}
