import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { endAccess } from "#app/domain/identity/access/end-access.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { notFound } from "#app/kit/refusal.ts";

/**
 * Ends all access to a seller's account except the session in use: other sessions, API keys, mailed links, and the
 * password too if the identity provider opens the account without it. Notifies the seller.
 */
export async function endOtherAccess(
  signedIn: { id: string; sessionId: string },
  from?: RequestOrigin,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [seller] = await tx
      .select({ oauthSubject: sellers.oauthSubject })
      .from(sellers)
      .where(eq(sellers.id, signedIn.id))
      .for("update");
    if (!seller) throw notFound();
    const password = seller.oauthSubject === null;
    await endAccess(tx, signedIn.id, { sessionId: signedIn.sessionId, password });
    await queueSecurityMail(tx, signedIn.id, { change: "access-ended", origin: from });
  });
}
