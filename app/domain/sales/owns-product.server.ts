import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/**
 * Whether this buyer has paid for this product before: the same e-mail and document, or name where no document is asked
 * for. An e-mail alone would let anybody find out what somebody bought.
 */
export async function ownsProduct(
  productId: number,
  { email, document, name }: { email: string; document: string | null; name: string },
): Promise<boolean> {
  if (!email) return false;
  const bought = await db
    .select({ sealed: sales.customerDocumentSealed, name: sales.customerName })
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
  return bought.some((sale) =>
    sale.sealed === null || document === null
      ? name !== "" && sale.name.toLowerCase() === name.toLowerCase()
      : unseal(sale.sealed) === document,
  );
}
