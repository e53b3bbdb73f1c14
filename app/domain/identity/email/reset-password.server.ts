import { and, count, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { apiKeys, emailTokens, sellers } from "#app/db/schema/sellers.server.ts";
import { endAccess } from "#app/domain/identity/access/end-access.server.ts";
import { redeemEmailToken, usableToken } from "#app/domain/identity/email/redeem-email-token.server.ts";
import { hashPassword } from "#app/domain/identity/password.server.ts";
import { refuseGuessablePassword } from "#app/domain/identity/refuse-guessable.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { Refusal } from "#app/kit/refusal.ts";

type Ends = { endKeys?: boolean; endIdentity?: boolean };

/**
 * Sets the password of the link's account, ends every session and voids every mailed link: a stolen session or a
 * pending address change may be the reason for the reset. `endKeys` ends the API keys too, `endIdentity` the joined identity. The
 * link came by mail, so it confirms the address. Notifies the seller.
 * @returns the account's address
 * @throws Refusal not-found if the link is unknown, used or expired; invalid (`password`)
 */
export async function resetPassword(
  token: string,
  password: string,
  { endKeys = false, endIdentity = false, from }: Ends & { from?: RequestOrigin } = {},
): Promise<string> {
  // Judging a password takes long, so only with a link.
  const found = await findReset(token);
  if (!found) throw invalidLink();
  await refuseGuessablePassword(password, [found.name, found.email]);
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const redeemed = await redeemEmailToken(tx, token, "reset");
    const [seller] = redeemed
      ? await tx
          .update(sellers)
          .set({ passwordHash, emailVerifiedAt: sql`coalesce(${sellers.emailVerifiedAt}, now())` })
          .where(and(eq(sellers.id, redeemed.sellerId), eq(sellers.email, redeemed.email)))
          .returning({ id: sellers.id, email: sellers.email })
      : [];
    if (!seller) throw invalidLink();
    await endAccess(tx, seller.id, { keys: !endKeys, password: true, identity: !endIdentity });
    await queueSecurityMail(tx, seller.id, { change: "password", origin: from });
    return seller.email;
  });
}

function invalidLink(): Refusal {
  return new Refusal("not-found", "Este link não vale mais. Peça outro.");
}

/** An account whose password is to be reset, and what else opens it. */
type Reset = { name: string; email: string; keys: number; hasIdentity: boolean };

/** The account whose password a link resets. Null if the link is not valid. */
export async function findReset(token: string): Promise<Reset | null> {
  const [found] = await db
    .select({
      name: sellers.name,
      email: sellers.email,
      keys: count(apiKeys.id),
      hasIdentity: sql<boolean>`${sellers.oauthSubject} is not null`,
    })
    .from(emailTokens)
    .innerJoin(sellers, eq(sellers.id, emailTokens.sellerId))
    .leftJoin(apiKeys, and(eq(apiKeys.sellerId, emailTokens.sellerId), isNull(apiKeys.revokedAt)))
    .where(usableToken(token, "reset"))
    .groupBy(emailTokens.id, sellers.id);
  return found ?? null;
}
