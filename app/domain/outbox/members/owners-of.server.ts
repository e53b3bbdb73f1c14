import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { orderBumps, products, upsellOffers } from "#app/db/schema/products.server.ts";

/** Whose product each thing on sale belongs to, by its code (`itemCode`); a stranger's is left out. */
export async function ownersOf(tx: Tx, sellerId: string, codes: string[]): Promise<Map<string, number>> {
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
  const offers = await tx
    .select({ id: upsellOffers.id, productId: upsellOffers.productId })
    .from(upsellOffers)
    .innerJoin(products, eq(products.id, upsellOffers.productId))
    .where(and(own, inArray(upsellOffers.id, ids("offer-"))));
  return new Map([
    ...main.map(({ id }): [string, number] => [String(id), id]),
    ...bumps.map(({ id, productId }): [string, number] => [`bump-${id}`, productId]),
    ...offers.map(({ id, productId }): [string, number] => [`offer-${id}`, productId]),
  ]);
}
