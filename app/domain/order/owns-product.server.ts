import { and, eq, inArray, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";

/**
 * Whether this e-mail has paid for this product before, in this browser: `placedSaleIds` come from its sealed cookie.
 * Other browsers get false without a query, so that nobody can find out what an address bought.
 */
export async function ownsProduct(
  productId: number,
  email: string | null,
  placedSaleIds: string[],
): Promise<boolean> {
  if (!email || placedSaleIds.length === 0) return false;
  const [bought] = await db
    .select({ id: sales.id })
    .from(sales)
    .where(
      and(
        inArray(sales.id, placedSaleIds),
        eq(sales.productId, productId),
        eq(sales.customerEmail, email),
        inArray(sales.status, ["completed", "disputed"]),
        isNull(sales.parentSaleId),
      ),
    )
    .limit(1);
  return bought !== undefined;
}
