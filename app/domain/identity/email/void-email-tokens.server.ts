import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { emailTokens } from "#app/db/schema/sellers.server.ts";

/**
 * Voids every link mailed for a seller's account, including a pending change of address: whoever requested it may be
 * the reason for the new password.
 */
export async function voidEmailTokens(tx: Tx, sellerId: string): Promise<void> {
  await tx
    .update(emailTokens)
    .set({ usedAt: new Date() })
    .where(and(eq(emailTokens.sellerId, sellerId), isNull(emailTokens.usedAt)));
}
