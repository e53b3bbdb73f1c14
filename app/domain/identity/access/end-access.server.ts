import { and, eq, isNull, ne } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { apiKeys, emailTokens, heldForms, sellers, sessions } from "#app/db/schema/sellers.server.ts";
import { voidTokens } from "#app/domain/identity/email/issue-email-token.server.ts";

/** What keeps opening the account: one session by its id, the API keys, the password, the joined identity, links for a new password. */
type RemainingAccess = {
  sessionId?: string;
  keys?: boolean;
  password?: boolean;
  identity?: boolean;
  resets?: boolean;
};

/**
 * Ends all access to a seller's account except `remaining`: sessions, mailed links, held forms, API keys, the password, the
 * identity with its picture.
 */
export async function endAccess(tx: Tx, sellerId: string, remaining: RemainingAccess): Promise<void> {
  const { sessionId, keys, password, identity, resets } = remaining;
  await tx
    .delete(sessions)
    .where(and(eq(sessions.sellerId, sellerId), sessionId ? ne(sessions.id, sessionId) : undefined));
  await tx.delete(heldForms).where(eq(heldForms.sellerId, sellerId));
  await voidEmailTokens(tx, sellerId, resets);
  if (!keys)
    await tx
      .update(apiKeys)
      .set({ revokedAt: new Date() })
      .where(and(eq(apiKeys.sellerId, sellerId), isNull(apiKeys.revokedAt)));
  if (!password) await tx.update(sellers).set({ passwordHash: null }).where(eq(sellers.id, sellerId));
  if (!identity)
    await tx.update(sellers).set({ oauthSubject: null, pictureUrl: null }).where(eq(sellers.id, sellerId));
}

/**
 * Voids the links mailed for a seller's account, including a pending change of address: whoever requested it may be
 * the reason for the new password. `resets`: not those for a new password.
 */
async function voidEmailTokens(tx: Tx, sellerId: string, resets?: boolean): Promise<void> {
  const isEnded = resets ? ne(emailTokens.purpose, "reset") : undefined;
  await voidTokens(tx, and(eq(emailTokens.sellerId, sellerId), isNull(emailTokens.usedAt), isEnded));
}
