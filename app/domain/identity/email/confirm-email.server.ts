import { and, eq, gt } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { isUniqueViolation } from "#app/db/errors.server.ts";
import { emailTokens, sellers } from "#app/db/schema/sellers.server.ts";
import { voidForOtherAddresses } from "#app/domain/identity/email/issue-email-token.server.ts";
import { releaseLapsedAddress } from "#app/domain/identity/email/lapsed-registration.server.ts";
import { redeemEmailToken } from "#app/domain/identity/email/redeem-email-token.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/** The address a link confirms. `changes` if the account has another address so far. */
export type Confirmation = { email: string; confirmed: boolean; changes: boolean };

/**
 * What a link would confirm, or has confirmed. Changes nothing: mail scanners open links before people do.
 * @throws Refusal not-found if the link is unknown, expired, or was used for what no longer applies
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
  if (!found || (found.usedAt && !confirmed)) throw invalidLink();
  return { email: found.email, confirmed, changes: found.email !== found.current };
}

/**
 * Makes the confirmed address the seller's, and notifies a replaced address. Mails to the seller that wait are redirected when
 * they are sent. Idempotent. An account whose registration with the address lapsed loses it.
 * @returns the seller whose address it is; null if it was confirmed before
 * @throws Refusal not-found as above; conflict if another account has the address now
 */
export async function confirmEmail(token: string, from?: RequestOrigin): Promise<string | null> {
  try {
    const sellerId = await redeemAndConfirm(token, from);
    if (sellerId) return sellerId;
  } catch (error) {
    if (isUniqueViolation(error, "sellers_email_key"))
      throw new Refusal("conflict", "Este e-mail já é usado por outra conta.");
    throw error;
  }
  if (!(await findConfirmation(token)).confirmed) throw invalidLink();
  return null;
}

function redeemAndConfirm(token: string, from: RequestOrigin | undefined): Promise<string | null> {
  return db.transaction(async (tx) => {
    const redeemed = await redeemEmailToken(tx, token, "confirm");
    if (!redeemed) return null;
    const [before] = await tx
      .select({ email: sellers.email })
      .from(sellers)
      .where(eq(sellers.id, redeemed.sellerId));
    if (before && before.email !== redeemed.email) await releaseLapsedAddress(tx, redeemed.email);
    await tx
      .update(sellers)
      .set({ email: redeemed.email, emailVerifiedAt: new Date() })
      .where(eq(sellers.id, redeemed.sellerId));
    // A link for a new password goes to the account's address; one that went to another would be refused only once it was typed.
    await voidForOtherAddresses(tx, { ...redeemed, purpose: "reset" });
    if (before && before.email !== redeemed.email)
      await queueSecurityMail(tx, redeemed.sellerId, { change: "email", origin: from, to: before.email });
    return redeemed.sellerId;
  });
}

function invalidLink(): Refusal {
  return new Refusal("not-found", "Este link de confirmação não vale mais.");
}
