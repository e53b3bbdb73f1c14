import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";

/** The seller of a product by its number, for sale or not; null if there is none. */
export async function findProductSeller(productId: string): Promise<string | null> {
  if (!/^\d{1,15}$/.test(productId)) return null;
  const [row] = await db
    .select({ sellerId: products.sellerId })
    .from(products)
    .where(eq(products.id, Number(productId)));
  return row?.sellerId ?? null;
}
