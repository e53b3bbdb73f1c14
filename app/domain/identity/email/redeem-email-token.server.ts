import { and, eq, gt, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { emailTokens, sellers } from "#app/db/schema/sellers.server.ts";
import type { TokenPurpose } from "#app/domain/identity/email/issue-email-token.server.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/** The condition of a valid token. */
export const usableToken = (token: string, purpose: TokenPurpose) =>
  and(
    eq(emailTokens.tokenHash, hashToken(token)),
    eq(emailTokens.purpose, purpose),
    isNull(emailTokens.usedAt),
    gt(emailTokens.expiresAt, new Date()),
  );

/**
 * Redeems a link's token, once: of two concurrent calls one gets it. Its seller is locked first, as by everything that
 * ends access and voids tokens. Null if it is unknown, used or expired.
 */
export async function redeemEmailToken(
  tx: Db,
  token: string,
  purpose: TokenPurpose,
): Promise<{ sellerId: string; email: string } | null> {
  await tx
    .select({ id: sellers.id })
    .from(emailTokens)
    .innerJoin(sellers, eq(sellers.id, emailTokens.sellerId))
    .where(usableToken(token, purpose))
    .for("update", { of: sellers });
  const [redeemed] = await tx
    .update(emailTokens)
    .set({ usedAt: new Date() })
    .where(usableToken(token, purpose))
    .returning({ sellerId: emailTokens.sellerId, email: emailTokens.email });
  return redeemed ?? null;
}
