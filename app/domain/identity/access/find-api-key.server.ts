import { and, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { apiKeys, sellers } from "#app/db/schema/sellers.server.ts";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import type { Scope } from "#app/domain/identity/access/scopes.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/** The seller of a request with an API key: no session, and only the key's scopes. */
export type KeyHolder = Omit<SignedIn, "sessionId" | "isRecent"> & {
  keyId: string;
  scopes: Scope[];
};

const LAST_USED_INTERVAL = MINUTE;

/** The owner of an API key; null if it is unknown or revoked, or the account closed. */
export async function findApiKey(key: string): Promise<KeyHolder | null> {
  const [found] = await db
    .select({
      keyId: apiKeys.id,
      lastUsedAt: apiKeys.lastUsedAt,
      scopes: apiKeys.scopes,
      id: sellers.id,
      email: sellers.email,
      name: sellers.name,
      pictureUrl: sellers.pictureUrl,
      closedAt: sellers.closedAt,
    })
    .from(apiKeys)
    .innerJoin(sellers, eq(sellers.id, apiKeys.sellerId))
    .where(and(eq(apiKeys.keyHash, hashToken(key)), isNull(apiKeys.revokedAt), isNull(sellers.closedAt)));
  if (!found) return null;
  const { lastUsedAt, ...holder } = found;
  if (!lastUsedAt || Date.now() - lastUsedAt.getTime() > LAST_USED_INTERVAL)
    await db.update(apiKeys).set({ lastUsedAt: new Date() }).where(eq(apiKeys.id, holder.keyId));
  return holder;
}
