import { and, eq, inArray, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";

/**
 * Whether this e-mail has paid for this product before, in this browser: `placed` are the sales its sealed cookie names.
 * Nobody else learns what an address bought, whatever they know about its owner; for them nothing is asked.
 */
export async function ownsProduct(
  productId: number,
  email: string | null,
  placed: string[],
): Promise<boolean> {
  if (!email || placed.length === 0) return false;
  const [bought] = await db
    .select({ id: sales.id })
    .from(sales)
    .where(
      and(
        inArray(sales.id, placed),
        eq(sales.productId, productId),
        eq(sales.customerEmail, email),
        inArray(sales.status, ["completed", "disputed"]),
        isNull(sales.parentSaleId),
      ),
    )
    .limit(1);
  return bought !== undefined;
}
