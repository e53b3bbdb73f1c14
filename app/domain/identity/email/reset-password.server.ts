import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { endAccess } from "#app/domain/identity/access/end-access.server.ts";
import { spendEmailToken } from "#app/domain/identity/email/spend-email-token.server.ts";
import { hashPassword } from "#app/domain/identity/password.server.ts";
import { refuseGuessable } from "#app/domain/identity/refuse-guessable.server.ts";
import { queueSecurityNotice } from "#app/domain/mail/queue/queue-security-notice.server.ts";
import type { Origin } from "#app/kit/device.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Sets the password of whoever got the link, and ends every session: one of them may be the reason for the change, as may a
 * new address that waits for its confirmation. `endKeys` ends the API keys too.
 * The link came by mail, so the address is confirmed by it. The seller is told that the password is another.
 * @returns the account's address
 * @throws Refusal not-found where the link is unknown, spent or expired; invalid (`password`)
 */
export async function resetPassword(
  token: string,
  password: string,
  { endKeys = false, from }: { endKeys?: boolean; from?: Origin } = {},
): Promise<string> {
  await refuseGuessable(password);
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const used = await spendEmailToken(tx, token, "reset");
    const [seller] = used
      ? await tx
          .update(sellers)
          .set({ passwordHash, emailVerifiedAt: sql`coalesce(${sellers.emailVerifiedAt}, now())` })
          .where(and(eq(sellers.id, used.sellerId), eq(sellers.email, used.email)))
          .returning({ id: sellers.id, email: sellers.email })
      : [];
    if (!seller) throw new Refusal("not-found", "Este link não vale mais. Peça outro.");
    await endAccess(tx, seller.id, { keys: !endKeys, password: true });
    await queueSecurityNotice(tx, seller.id, { change: "password", from });
    return seller.email;
  });
}
