import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { endAccess } from "#app/domain/identity/access/end-access.server.ts";
import { renewSession } from "#app/domain/identity/access/renew-session.server.ts";
import { hashPassword, isPassword } from "#app/domain/identity/password.server.ts";
import { refuseGuessablePassword } from "#app/domain/identity/refuse-guessable.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";

/**
 * Changes a seller's password, ends the other sessions, copies of this one's cookie and mailed links, and notifies the seller.
 * An account that only the identity provider opened so far gets its first password without a current one. A password that was
 * replaced while the current one was checked, as by a reset, stays.
 * @returns the session's new token
 * @throws Refusal invalid (`currentPassword`, `password`); unauthorized if the session was ended meanwhile
 */
export async function changePassword(
  signedIn: { id: string; sessionId: string },
  passwords: { currentPassword?: string | undefined; password: string },
  from?: RequestOrigin,
): Promise<string> {
  const [seller] = await db
    .select({ passwordHash: sellers.passwordHash, name: sellers.name, email: sellers.email })
    .from(sellers)
    .where(eq(sellers.id, signedIn.id));
  if (!seller) throw notFound();
  if (seller.passwordHash && !(await isPassword(passwords.currentPassword ?? "", seller.passwordHash)))
    throw wrongPassword();
  await refuseGuessablePassword(passwords.password, [seller.name, seller.email]);
  const passwordHash = await hashPassword(passwords.password);
  return db.transaction(async (tx) => {
    // What another copy of the session has begun ends before, or waits and is refused: an update alone lets it pass.
    await tx.select({ id: sellers.id }).from(sellers).where(eq(sellers.id, signedIn.id)).for("update");
    const [changed] = await tx
      .update(sellers)
      .set({ passwordHash })
      .where(
        and(
          eq(sellers.id, signedIn.id),
          sql`${sellers.passwordHash} is not distinct from ${seller.passwordHash}`,
        ),
      )
      .returning({ id: sellers.id });
    if (!changed) throw wrongPassword();
    const { id, sessionId } = signedIn;
    await endAccess(tx, id, { sessionId, keys: true, password: true, identity: true });
    await queueSecurityMail(tx, signedIn.id, { change: "password", origin: from });
    return renewSession(tx, signedIn, true);
  });
}

function wrongPassword(): Refusal {
  return new Refusal("invalid", "Senha atual incorreta", "currentPassword");
}
