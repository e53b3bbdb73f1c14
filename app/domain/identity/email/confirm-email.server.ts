import { and, eq, gt } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { isUniqueViolation } from "#app/db/errors.server.ts";
import { emailTokens, sellers } from "#app/db/schema/sellers.server.ts";
import { spendEmailToken } from "#app/domain/identity/email/spend-email-token.server.ts";
import { queueSecurityNotice } from "#app/domain/mail/queue/queue-security-notice.server.ts";
import type { Origin } from "#app/kit/device.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/** What a confirmation's link is about. `changes` where the account has another address so far. */
export type Confirmation = { email: string; confirmed: boolean; changes: boolean };

/**
 * What a link would confirm, or has confirmed. It changes nothing: mail scanners open links before people do.
 * @throws Refusal not-found where the link is unknown, expired, or was spent on what holds no longer
 */
export async function findConfirmation(token: string): Promise<Confirmation> {
  const [found] = await db
    .select({
      email: emailTokens.email,
      usedAt: emailTokens.usedAt,
      current: sellers.email,
      verifiedAt: sellers.emailVerifiedAt,
    })
    .from(emailTokens)
    .innerJoin(sellers, eq(sellers.id, emailTokens.sellerId))
    .where(
      and(
        eq(emailTokens.tokenHash, hashToken(token)),
        eq(emailTokens.purpose, "confirm"),
        gt(emailTokens.expiresAt, new Date()),
      ),
    );
  const confirmed = found?.usedAt != null && found.email === found.current && found.verifiedAt !== null;
  if (!found || (found.usedAt && !confirmed)) throw goneLink();
  return { email: found.email, confirmed, changes: found.email !== found.current };
}

/**
 * Makes the address a link was sent to the seller's, confirmed; an address that it takes the place of is told. Pressing
 * twice is pressing once.
 * @returns the seller whose address it is; null where it was confirmed before
 * @throws Refusal not-found as above; conflict where another account has the address now
 */
export async function confirmEmail(token: string, from?: Origin): Promise<string | null> {
  try {
    const sellerId = await spend(token, from);
    if (sellerId) return sellerId;
  } catch (error) {
    if (isUniqueViolation(error, "sellers_email_key"))
      throw new Refusal("conflict", "Este e-mail já é usado por outra conta.");
    throw error;
  }
  if (!(await findConfirmation(token)).confirmed) throw goneLink();
  return null;
}

function spend(token: string, from: Origin | undefined): Promise<string | null> {
  return db.transaction(async (tx) => {
    const used = await spendEmailToken(tx, token, "confirm");
    if (!used) return null;
    const [before] = await tx
      .select({ email: sellers.email })
      .from(sellers)
      .where(eq(sellers.id, used.sellerId))
      .for("update");
    await tx
      .update(sellers)
      .set({ email: used.email, emailVerifiedAt: new Date() })
      .where(eq(sellers.id, used.sellerId));
    if (before && before.email !== used.email)
      await queueSecurityNotice(tx, used.sellerId, { change: "email", from, to: before.email });
    return used.sellerId;
  });
}

function goneLink(): Refusal {
  return new Refusal("not-found", "Este link de confirmação não vale mais.");
}
