import { and, eq, isNull } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { issueEmailToken } from "#app/domain/identity/email/issue-email-token.server.ts";
import { renderConfirmationMail } from "#app/domain/identity/email/render-account-mails.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** Longer than the work takes, so that the response time does not reveal whether the address has an unconfirmed account. */
const MIN_WAIT = SECOND / 4;

/** Queues the mail whose link confirms the seller's address `email`. @returns when the link ends */
export async function sendConfirmation(
  tx: Db,
  seller: { id: string; name: string; email: string },
): Promise<Date> {
  const { id, token, expiresAt } = await issueEmailToken(tx, {
    sellerId: seller.id,
    purpose: "confirm",
    email: seller.email,
  });
  await queueMail(tx, {
    kind: "confirm-email",
    idempotencyKey: `confirm-email/${id}`,
    recipient: seller.email,
    sellerId: seller.id,
    mail: renderConfirmationMail(seller.name, env.APP_URL + paths.confirmEmail(token), expiresAt),
  });
  return expiresAt;
}

/** The same for an account that registered this address and has not confirmed it; for others does nothing, silently. */
export async function resendConfirmation(email: string): Promise<void> {
  await Promise.all([sendIfUnconfirmed(email), new Promise((resolve) => setTimeout(resolve, MIN_WAIT))]);
}

async function sendIfUnconfirmed(email: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [seller] = await tx
      .select({ id: sellers.id, name: sellers.name, email: sellers.email })
      .from(sellers)
      .where(and(eq(sellers.email, email), isNull(sellers.emailVerifiedAt)))
      // The account may be anonymized meanwhile: then it has this address no more.
      .for("key share");
    if (seller) await sendConfirmation(tx, seller);
  });
}
