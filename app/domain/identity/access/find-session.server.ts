import { and, eq, gt } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers, sessions } from "#app/db/schema/sellers.server.ts";
import { SESSION_LIFETIME } from "#app/domain/identity/access/open-session.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/** The seller behind a session, and the session itself. */
export type SignedIn = {
  sessionId: string;
  id: string;
  email: string;
  name: string;
  pictureUrl: string | null;
  /** When they closed the account; null while it is open. */
  closedAt: Date | null;
  /** When they last showed a password or came by the identity provider. */
  authenticatedAt: Date;
};

/** Writing "last used" at every request would make every read a write. */
const TOUCH_EVERY = 10 * MINUTE;

/** Who a token belongs to; null where it is unknown, revoked or expired. */
export async function findSession(token: string): Promise<SignedIn | null> {
  const [found] = await db
    .select({
      sessionId: sessions.id,
      lastUsedAt: sessions.lastUsedAt,
      authenticatedAt: sessions.authenticatedAt,
      id: sellers.id,
      email: sellers.email,
      name: sellers.name,
      pictureUrl: sellers.pictureUrl,
      closedAt: sellers.closedAt,
    })
    .from(sessions)
    .innerJoin(sellers, eq(sellers.id, sessions.sellerId))
    .where(and(eq(sessions.tokenHash, hashToken(token)), gt(sessions.expiresAt, new Date())));
  if (!found) return null;
  const { lastUsedAt, ...signedIn } = found;
  if (Date.now() - lastUsedAt.getTime() > TOUCH_EVERY) {
    const now = new Date();
    await db
      .update(sessions)
      .set({ lastUsedAt: now, expiresAt: new Date(now.getTime() + SESSION_LIFETIME) })
      .where(eq(sessions.id, signedIn.sessionId));
  }
  return signedIn;
}
