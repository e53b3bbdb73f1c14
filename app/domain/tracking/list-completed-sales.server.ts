import { and, asc, desc, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { newerThan, olderThan, type SaleCursor } from "#app/domain/sale/sale-cursor.server.ts";
import { transactionIdSql } from "#app/domain/sale/transaction-id.server.ts";
import { paginate } from "#app/kit/paginate.ts";

/** A page of completed sales: its size and cursor. */
export type CompletedPage = { limit: number; before?: SaleCursor | null; after?: SaleCursor | null };

/** A completed sale in the tracking debug. Money in cents. */
export type CompletedSale = {
  id: string;
  productName: string;
  customerEmail: string | null;
  amountCents: number;
  createdAt: Date;
  transactionId: string | null;
};

/** A page of a seller's completed sales, newest first. */
export async function listCompletedSales(
  sellerId: string,
  { limit, before = null, after = null }: CompletedPage,
) {
  const rows = await db
    .select({
      id: sales.id,
      productName: sql<string>`coalesce((select l.name from ${saleLines} l
        where l.seller_id = ${sales.sellerId} and l.sale_id = ${sales.id} order by l.position limit 1), ${products.name})`,
      customerEmail: sales.customerEmail,
      amountCents: sales.amountCents,
      createdAt: sales.createdAt,
      transactionId: transactionIdSql,
    })
    .from(sales)
    .innerJoin(products, eq(products.id, sales.productId))
    .where(
      and(
        eq(sales.sellerId, sellerId),
        eq(sales.status, "completed"),
        after ? newerThan(after) : before ? olderThan(before) : undefined,
      ),
    )
    .orderBy(...(after ? [asc(sales.createdAt), desc(sales.id)] : [desc(sales.createdAt), asc(sales.id)]))
    .limit(limit + 1);
  return paginate<CompletedSale>(rows, { limit, before, after });
}
