import { and, desc, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";

/** A completed sale in the tracking debug. Money in cents. */
export type CompletedSale = {
  id: string;
  productName: string;
  customerEmail: string | null;
  amountCents: number;
  createdAt: Date;
  transactionId: string | null;
};

const SHOWN = 30;

/** A seller's last 30 completed sales. */
export function listCompletedSales(sellerId: string): Promise<CompletedSale[]> {
  return db
    .select({
      id: sales.id,
      productName: products.name,
      customerEmail: sales.customerEmail,
      amountCents: sales.amountCents,
      createdAt: sales.createdAt,
      transactionId: sql<string | null>`(
        select c.provider_id from ${charges} c where c.sale_id = ${sales.id} and c.status = 'paid'
        order by c.paid_at limit 1)`,
    })
    .from(sales)
    .innerJoin(products, eq(products.id, sales.productId))
    .where(and(eq(sales.sellerId, sellerId), eq(sales.status, "completed")))
    .orderBy(desc(sales.createdAt), sales.id)
    .limit(SHOWN);
}
