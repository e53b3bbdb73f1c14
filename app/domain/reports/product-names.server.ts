import { and, eq, inArray } from "drizzle-orm";
import { reportsDb } from "#app/db/replica/read-clients.server.ts";
import { products } from "#app/db/schema/products.server.ts";

/** The names of some of a seller's products, deleted ones too. */
export async function findProductNames(sellerId: string, ids: number[]): Promise<Map<number, string>> {
  const rows = await reportsDb
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(and(eq(products.sellerId, sellerId), inArray(products.id, ids)));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
