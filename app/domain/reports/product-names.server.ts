import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { batchDb, db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";

/** More than anybody picks from a list. */
const MAX_CHOICES = 300;

/** A seller's products by name, to filter by: those not deleted. */
export function listProductChoices(sellerId: string): Promise<{ id: number; name: string }[]> {
  return db
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(and(eq(products.sellerId, sellerId), isNull(products.archivedAt)))
    .orderBy(asc(products.name), asc(products.id))
    .limit(MAX_CHOICES);
}

/** The names of some of a seller's products, deleted ones too. */
export async function findProductNames(sellerId: string, ids: number[]): Promise<Map<number, string>> {
  const rows = await batchDb
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(and(eq(products.sellerId, sellerId), inArray(products.id, ids)));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
