import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { resetMail } from "#app/domain/identity/email/confirm-mail.server.ts";
import { issueEmailToken } from "#app/domain/identity/email/issue-email-token.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** Longer than the work takes, so that the time does not tell whether the address has an account. */
const ALWAYS = SECOND / 4;

/** Queues the mail with the link to a new password; an unknown address gets nothing, and nobody is told. */
export async function requestPasswordReset(email: string): Promise<void> {
  await Promise.all([queueReset(email), new Promise((later) => setTimeout(later, ALWAYS))]);
}

async function queueReset(email: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [seller] = await tx
      .select({ id: sellers.id, name: sellers.name })
      .from(sellers)
      .where(eq(sellers.email, email));
    if (!seller) return;
    const { id, token } = await issueEmailToken(tx, { sellerId: seller.id, purpose: "reset", email });
    await queueMail(tx, {
      kind: "reset-password",
      idempotencyKey: `reset-password/${id}`,
      recipient: email,
      sellerId: seller.id,
      mail: resetMail(seller.name, env.APP_URL + paths.resetPassword(token)),
    });
  });
}
