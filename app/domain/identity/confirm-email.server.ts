import { and, eq, gt, isNotNull } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { isUniqueViolation } from "#app/db/errors.server.ts";
import { emailTokens, sellers } from "#app/db/schema/sellers.server.ts";
import { spendEmailToken } from "#app/domain/identity/spend-email-token.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/**
 * Makes the address a link was sent to the seller's, confirmed. The same link again still says yes while that is so:
 * mail scanners open links before people do.
 * @returns the address
 * @throws Refusal not-found where the link is unknown, spent or expired; conflict where another account has the address now
 */
export async function confirmEmail(token: string): Promise<string> {
  try {
    return await db.transaction(async (tx) => {
      const used = await spendEmailToken(tx, token, "confirm");
      if (!used) return await confirmedBefore(tx, token);
      await tx
        .update(sellers)
        .set({ email: used.email, emailVerifiedAt: new Date() })
        .where(eq(sellers.id, used.sellerId));
      return used.email;
    });
  } catch (error) {
    if (isUniqueViolation(error, "sellers_email_key"))
      throw new Refusal("conflict", "Este e-mail já é usado por outra conta.");
    throw error;
  }
}

async function confirmedBefore(tx: Tx, token: string): Promise<string> {
  const [found] = await tx
    .select({ email: sellers.email })
    .from(emailTokens)
    .innerJoin(sellers, and(eq(sellers.id, emailTokens.sellerId), eq(sellers.email, emailTokens.email)))
    .where(
      and(
        eq(emailTokens.tokenHash, hashToken(token)),
        eq(emailTokens.purpose, "confirm"),
        isNotNull(sellers.emailVerifiedAt),
        gt(emailTokens.expiresAt, new Date()),
      ),
    );
  if (!found) throw new Refusal("not-found", "Este link de confirmação não vale mais.");
  return found.email;
}
