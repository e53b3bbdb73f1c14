import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { voidForOtherAddresses } from "#app/domain/identity/email/issue-email-token.server.ts";

/** Ends the links that would change a seller's address: one that was mistyped belongs to somebody else. Idempotent. */
export async function cancelEmailChange(sellerId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [seller] = await tx
      .select({ email: sellers.email })
      .from(sellers)
      .where(eq(sellers.id, sellerId))
      .for("no key update");
    if (seller) await voidForOtherAddresses(tx, { sellerId, purpose: "confirm", email: seller.email });
  });
}
