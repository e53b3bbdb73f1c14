import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";

/** Whose product a number names, for sale or not; null where there is none. */
export async function findSellerOf(productId: string): Promise<string | null> {
  if (!/^\d{1,15}$/.test(productId)) return null;
  const [row] = await db
    .select({ sellerId: products.sellerId })
    .from(products)
    .where(eq(products.id, Number(productId)));
  return row?.sellerId ?? null;
}
