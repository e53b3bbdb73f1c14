import { and, eq, gt, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers, sessions } from "#app/db/schema/sellers.server.ts";
import { SESSION_LIFETIME } from "#app/domain/identity/access/open-session.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/** A session and its seller. */
export type SignedIn = {
  sessionId: string;
  id: string;
  email: string;
  name: string;
  pictureUrl: string | null;
  /** When the account was closed; null while it is open. */
  closedAt: Date | null;
  /** Whether they signed in recently, with the password or the identity provider; by the database's clock, as it was recorded. */
  isRecent: boolean;
};

/** How long a sign-in counts as recent. */
const RECENT_WINDOW = 10 * MINUTE;

/** Updating "last used" at every request would make every read a write. */
const LAST_USED_INTERVAL = 10 * MINUTE;

/** The session of a token; null if it is unknown, revoked or expired. */
export async function findSession(token: string): Promise<SignedIn | null> {
  const [found] = await db
    .select({
      sessionId: sessions.id,
      lastUsedAt: sessions.lastUsedAt,
      isRecent: sql<boolean>`${sessions.authenticatedAt} > now() - make_interval(secs => ${RECENT_WINDOW / SECOND})`,
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
  if (Date.now() - lastUsedAt.getTime() > LAST_USED_INTERVAL) {
    const now = new Date();
    await db
      .update(sessions)
      .set({ lastUsedAt: now, expiresAt: new Date(now.getTime() + SESSION_LIFETIME) })
      .where(eq(sessions.id, signedIn.sessionId));
  }
  return signedIn;
}
