import { and, eq, inArray, sql } from "drizzle-orm";
import { reportsDb } from "#app/db/replica/read-clients.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { products } from "#app/db/schema/products.server.ts";

/** The names of some of a seller's offers, deleted ones too; with their products' where several of these have one name. */
export async function findOfferNames(sellerId: string, ids: string[]): Promise<Map<string, string>> {
  const rows = await reportsDb
    .select({ id: offers.id, name: offers.name, productName: products.name })
    .from(offers)
    .innerJoin(products, and(eq(products.sellerId, offers.sellerId), eq(products.id, offers.productId)))
    // As text: days that were counted by name are read, too.
    .where(and(eq(offers.sellerId, sellerId), inArray(sql`${offers.id}::text`, ids)));
  const isShared = ({ id, name }: (typeof rows)[number]) =>
    rows.some((other) => other.name === name && other.id !== id);
  return new Map(rows.map((row) => [row.id, isShared(row) ? `${row.productName}: ${row.name}` : row.name]));
}
