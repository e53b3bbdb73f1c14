import { asc, desc, eq } from "drizzle-orm";
import { batchDb } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { saleColumns } from "#app/domain/reports/sale-columns.server.ts";

/** A seller's newest sales, paid or not, newest first. Money in cents. */
export async function listNewestSales(sellerId: string, limit: number) {
  const { id, productName, amountCents, status, customerName, customerEmail, anonymizedReason, createdAt } =
    saleColumns;
  return batchDb
    .select({
      id,
      productName,
      amountCents,
      status,
      customerName,
      customerEmail,
      anonymizedReason,
      createdAt,
    })
    .from(sales)
    .innerJoin(products, eq(products.id, sales.productId))
    .where(eq(sales.sellerId, sellerId))
    .orderBy(desc(sales.createdAt), asc(sales.id))
    .limit(limit);
}
