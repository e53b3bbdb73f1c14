import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";

/** Fewer than this say nothing. */
const FEW = 10;

/** How many sales of a product were paid; null where they are few. */
export async function countPaidSales(productId: number): Promise<number | null> {
  const [row] = await db
    .select({ paid: sql<number>`count(*)::int` })
    .from(sales)
    .where(and(eq(sales.productId, productId), eq(sales.status, "completed")));
  return row!.paid >= FEW ? row!.paid : null;
}
