import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { endAccess } from "#app/domain/identity/access/end-access.server.ts";
import { renewSession } from "#app/domain/identity/access/renew-session.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import { requireOpenAccess } from "#app/domain/mail/queue/require-open-access.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { notFound } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";

/** Which of two ways in stays open where an account has both, and whether its API keys do. */
export type Ending = { keeps: "password" | "identity"; keys: boolean };

/**
 * Ends all access to a seller's account except the session in use and what `ending` keeps: other sessions, mailed links but those
 * for a new password, copies of its cookie, API keys, and password or identity, unless nothing else would open the account.
 * Notifies the seller.
 * @returns the session's new token: it is no more recent than it was, since nobody proved anything
 * @throws Refusal unauthorized if the session was ended meanwhile
 */
export async function endOtherAccess(
  signedIn: { id: string; sessionId: string },
  { keeps, keys }: Ending,
  from?: RequestOrigin,
): Promise<string> {
  const { id, sessionId } = signedIn;
  return db.transaction(async (tx) => {
    const [seller] = await tx
      .select({ oauthSubject: sellers.oauthSubject, passwordHash: sellers.passwordHash })
      .from(sellers)
      .where(eq(sellers.id, id))
      .for("update");
    if (!seller) throw notFound();
    await requireOpenAccess(tx, id, { sessionId });
    const [hasPassword, hasIdentity] = [seller.passwordHash !== null, seller.oauthSubject !== null];
    // An identity opens nothing where its provider is not configured.
    const password = keeps === "password" || !hasIdentity || !env.OAUTH_CLIENT_ID;
    const identity = keeps === "identity" || !hasPassword;
    // Links for a new password go to the account's own address: a stranger in it could void the owner's again and again.
    await endAccess(tx, id, { sessionId, keys, password, identity, resets: true });
    const lines = [
      ...(hasPassword && !password ? ["A senha deixou de valer."] : []),
      ...(hasIdentity && !identity ? ["O provedor de identidade não abre mais a conta."] : []),
    ];
    await queueSecurityMail(tx, id, { change: "access-ended", origin: from, lines });
    return renewSession(tx, signedIn, false);
  });
}
