import { and, eq, gt, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { emailTokens } from "#app/db/schema/sellers.server.ts";
import type { Purpose } from "#app/domain/identity/email/issue-email-token.server.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/** The condition of a token that would be taken. */
export const usableToken = (token: string, purpose: Purpose) =>
  and(
    eq(emailTokens.tokenHash, hashToken(token)),
    eq(emailTokens.purpose, purpose),
    isNull(emailTokens.usedAt),
    gt(emailTokens.expiresAt, new Date()),
  );

/** Spends a link's token, once: of two at the same time one gets it. Null where it is unknown, spent or expired. */
export async function spendEmailToken(
  tx: Db,
  token: string,
  purpose: Purpose,
): Promise<{ sellerId: string; email: string } | null> {
  const [used] = await tx
    .update(emailTokens)
    .set({ usedAt: new Date() })
    .where(usableToken(token, purpose))
    .returning({ sellerId: emailTokens.sellerId, email: emailTokens.email });
  return used ?? null;
}
