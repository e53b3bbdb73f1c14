import { sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { sessions } from "#app/db/schema/sellers.server.ts";
import { hashToken, randomToken } from "#app/platform/secrets.server.ts";

/**
 * Gives a session another token, so that copies of its cookie end. Its id changes, too: what a copy began before, and waits for the
 * seller's row, is refused (`requireOpenAccess`).
 * @param isProven whether its owner proved who they are just now; else it stays as recent as it was
 * @returns the token for the cookie
 */
export async function renewSession(
  tx: Tx,
  { id, sessionId }: { id: string; sessionId: string },
  isProven: boolean,
): Promise<string> {
  const token = randomToken();
  await tx
    .update(sessions)
    .set({
      id: sql`gen_random_uuid()`,
      tokenHash: hashToken(token),
      ...(isProven ? { authenticatedAt: sql`now()` } : {}),
    })
    .where(ownById(sessions, id, sessionId));
  return token;
}
