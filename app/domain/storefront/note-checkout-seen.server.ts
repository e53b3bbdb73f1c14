import { and, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** Keeps that a seller looked at a checkout of theirs: the first time alone. */
export async function noteCheckoutSeen(sellerId: string): Promise<void> {
  await db
    .update(sellers)
    .set({ checkoutSeenAt: new Date() })
    .where(and(eq(sellers.id, sellerId), isNull(sellers.checkoutSeenAt)));
}
