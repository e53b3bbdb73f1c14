import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { upsellSaleCounts } from "#app/db/schema/products.server.ts";

/** Fewer are not meaningful. */
const MIN_SHOWN = 10;

/** Paid sales of an upsell, not of the product it follows; null if they are few. */
export async function countUpsellSales(upsellId: number): Promise<number | null> {
  const [row] = await db
    .select({ paid: sql<number>`coalesce(sum(${upsellSaleCounts.completed}), 0)::int` })
    .from(upsellSaleCounts)
    .where(eq(upsellSaleCounts.upsellId, upsellId));
  return row!.paid >= MIN_SHOWN ? row!.paid : null;
}
