import { and, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** Records the first time a seller viewed their own checkout. */
export async function markCheckoutSeen(sellerId: string): Promise<void> {
  await db
    .update(sellers)
    .set({ checkoutSeenAt: new Date() })
    .where(and(eq(sellers.id, sellerId), isNull(sellers.checkoutSeenAt)));
}
