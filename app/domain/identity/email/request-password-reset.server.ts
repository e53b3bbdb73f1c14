import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { issueEmailToken } from "#app/domain/identity/email/issue-email-token.server.ts";
import { renderResetMail } from "#app/domain/identity/email/render-account-mails.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** Longer than the work takes, so that the response time does not reveal whether the address has an account. */
const MIN_WAIT = SECOND / 4;

/** Queues the mail with the link for a new password; for an unknown address does nothing, silently. */
export async function requestPasswordReset(email: string): Promise<void> {
  await Promise.all([queueResetMail(email), new Promise((resolve) => setTimeout(resolve, MIN_WAIT))]);
}

async function queueResetMail(email: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [seller] = await tx
      .select({ id: sellers.id, name: sellers.name })
      .from(sellers)
      .where(eq(sellers.email, email))
      // The account may be anonymized meanwhile: then it has this address no more.
      .for("key share");
    if (!seller) return;
    const { id, token, expiresAt } = await issueEmailToken(tx, {
      sellerId: seller.id,
      purpose: "reset",
      email,
    });
    await queueMail(tx, {
      kind: "reset-password",
      idempotencyKey: `reset-password/${id}`,
      recipient: email,
      sellerId: seller.id,
      mail: renderResetMail(seller.name, env.APP_URL + paths.resetPassword(token), expiresAt),
    });
  });
}
