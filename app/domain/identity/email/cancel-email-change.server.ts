import { and, eq, isNull, ne } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { emailTokens, sellers } from "#app/db/schema/sellers.server.ts";

/** Ends the links that would change a seller's address: one that was mistyped belongs to somebody else. Idempotent. */
export async function cancelEmailChange(sellerId: string): Promise<void> {
  await db.transaction(async (tx) => {
    // Tokens are locked after their seller everywhere.
    const [seller] = await tx
      .select({ email: sellers.email })
      .from(sellers)
      .where(eq(sellers.id, sellerId))
      .for("no key update");
    if (!seller) return;
    await tx
      .update(emailTokens)
      .set({ usedAt: new Date() })
      .where(
        and(
          eq(emailTokens.sellerId, sellerId),
          eq(emailTokens.purpose, "confirm"),
          ne(emailTokens.email, seller.email),
          isNull(emailTokens.usedAt),
        ),
      );
  });
}
