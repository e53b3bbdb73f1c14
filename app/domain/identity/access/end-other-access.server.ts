import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { sellers, sessions } from "#app/db/schema/sellers.server.ts";
import { endAccess } from "#app/domain/identity/access/end-access.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import { requireOpenAccess } from "#app/domain/mail/queue/require-open-access.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { notFound } from "#app/kit/refusal.ts";
import { hashToken, randomToken } from "#app/platform/secrets.server.ts";

/**
 * Ends all access to a seller's account except the session in use: other sessions, API keys, mailed links, copies of its cookie, and
 * the password too if the identity provider opens the account without it. Notifies the seller.
 * @returns the session's new token: it is no more recent than it was, since nobody proved anything
 * @throws Refusal unauthorized if the session was ended meanwhile
 */
export async function endOtherAccess(
  signedIn: { id: string; sessionId: string },
  from?: RequestOrigin,
): Promise<string> {
  const { id, sessionId } = signedIn;
  const token = randomToken();
  await db.transaction(async (tx) => {
    const [seller] = await tx
      .select({ oauthSubject: sellers.oauthSubject })
      .from(sellers)
      .where(eq(sellers.id, id))
      .for("update");
    if (!seller) throw notFound();
    await requireOpenAccess(tx, id, { sessionId });
    const password = seller.oauthSubject === null;
    await endAccess(tx, id, { sessionId, password });
    await tx.update(sessions).set({ tokenHash: hashToken(token) }).where(ownById(sessions, id, sessionId));
    await queueSecurityMail(tx, id, { change: "access-ended", origin: from });
  });
  return token;
}
