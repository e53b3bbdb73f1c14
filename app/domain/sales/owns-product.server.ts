import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/**
 * Whether this buyer has paid for this product before. Where the first purchase came with a document, the same one must
 * be given now: an e-mail alone would let anybody find out what somebody bought.
 */
export async function ownsProduct(
  productId: number,
  { email, document }: { email: string; document: string | null },
): Promise<boolean> {
  if (!email) return false;
  const bought = await db
    .select({ sealed: sales.customerDocumentSealed })
    .from(sales)
    .where(
      and(
        eq(sales.customerEmail, email),
        sql`customer_email <> ''`,
        eq(sales.productId, productId),
        eq(sales.status, "completed"),
        sql`${sales.parentSaleId} is null`,
      ),
    )
    .limit(20);
  return bought.some(({ sealed }) => sealed !== null && document !== null && unseal(sealed) === document);
}
