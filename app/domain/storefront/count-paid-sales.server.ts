import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { offerSaleCounts } from "#app/db/schema/products.server.ts";

/** Fewer than this say nothing. */
const FEW = 10;

/** How many sales of an offer are paid, not of the product it follows; null where they are few. */
export async function countPaidSales(offerId: number): Promise<number | null> {
  const [row] = await db
    .select({ paid: sql<number>`coalesce(sum(${offerSaleCounts.completed}), 0)::int` })
    .from(offerSaleCounts)
    .where(eq(offerSaleCounts.upsellOfferId, offerId));
  return row!.paid >= FEW ? row!.paid : null;
}
