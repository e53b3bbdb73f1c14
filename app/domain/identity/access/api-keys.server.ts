import { and, count, desc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { apiKeys } from "#app/db/schema/sellers.server.ts";
import { withSellerLock } from "#app/db/version.server.ts";
import type { Scope } from "#app/domain/identity/access/scopes.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { log } from "#app/platform/log.server.ts";
import { hashToken, randomToken } from "#app/platform/secrets.server.ts";

const MAX_KEYS = 20;

export type ApiKeyRow = {
  id: string;
  name: string;
  preview: string;
  scopes: Scope[];
  createdAt: Date;
  lastUsedAt: Date | null;
};

/** The seller's API keys that are not revoked, newest first. */
export function listApiKeys(sellerId: string): Promise<ApiKeyRow[]> {
  return db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      preview: apiKeys.preview,
      scopes: apiKeys.scopes,
      createdAt: apiKeys.createdAt,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .where(and(eq(apiKeys.sellerId, sellerId), isNull(apiKeys.revokedAt)))
    .orderBy(desc(apiKeys.createdAt));
}

/**
 * Creates a key with the given scopes and notifies the seller.
 * @returns the key, only this once: just its hash is stored
 * @throws Refusal conflict beyond 20 keys
 */
export async function createApiKey(
  sellerId: string,
  { name, scopes }: { name: string; scopes: Scope[] },
  from?: RequestOrigin,
): Promise<string> {
  const key = `ck_${randomToken()}`;
  await withSellerLock(sellerId, async (tx) => {
    const [active] = await tx
      .select({ n: count() })
      .from(apiKeys)
      .where(and(eq(apiKeys.sellerId, sellerId), isNull(apiKeys.revokedAt)));
    if (active!.n >= MAX_KEYS)
      throw new Refusal("conflict", `Você já tem ${MAX_KEYS} chaves. Revogue uma para criar outra.`, "name");
    await tx
      .insert(apiKeys)
      .values({ sellerId, name, scopes, keyHash: hashToken(key), preview: key.slice(0, 9) });
    await queueSecurityMail(tx, sellerId, { change: "api-key", origin: from, lines: [`Chave: ${name}`] });
  });
  return key;
}

/** Revokes one of the seller's keys: the next request with it is refused. @throws Refusal not-found */
export async function revokeApiKey(sellerId: string, keyId: string): Promise<void> {
  if (!isUuid(keyId)) throw notFound("Chave não encontrada");
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: new Date() })
    .where(and(ownById(apiKeys, sellerId, keyId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  if (revoked.length === 0) throw notFound("Chave não encontrada");
  log.info({ sellerId, keyId }, "API key revoked");
}
