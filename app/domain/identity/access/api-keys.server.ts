import { and, count, desc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { apiKeys } from "#app/db/schema/sellers.server.ts";
import { inSellersTurn } from "#app/db/version.server.ts";
import type { Scope } from "#app/domain/identity/access/scopes.ts";
import { queueSecurityNotice } from "#app/domain/mail/queue/queue-security-notice.server.ts";
import type { Origin } from "#app/kit/device.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { hashToken, randomToken } from "#app/platform/secrets.server.ts";

const MOST = 20;

export type ApiKeyRow = {
  id: string;
  name: string;
  preview: string;
  scopes: Scope[];
  createdAt: Date;
  lastUsedAt: Date | null;
};

/** The seller's keys that work, newest first. */
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
 * Makes a key that may do what its scopes say, and tells the seller.
 * @returns it, this once: only its hash is kept
 * @throws Refusal conflict beyond 20 keys
 */
export async function createApiKey(
  sellerId: string,
  { name, scopes }: { name: string; scopes: Scope[] },
  from?: Origin,
): Promise<string> {
  const key = `ck_${randomToken()}`;
  await inSellersTurn(sellerId, async (tx) => {
    const [held] = await tx
      .select({ n: count() })
      .from(apiKeys)
      .where(and(eq(apiKeys.sellerId, sellerId), isNull(apiKeys.revokedAt)));
    if (held!.n >= MOST)
      throw new Refusal("conflict", `Você já tem ${MOST} chaves. Revogue uma para criar outra.`, "name");
    await tx
      .insert(apiKeys)
      .values({ sellerId, name, scopes, keyHash: hashToken(key), preview: key.slice(0, 9) });
    await queueSecurityNotice(tx, sellerId, { change: "api-key", from, lines: [`Chave: ${name}`] });
  });
  return key;
}

/** Revokes one of the seller's keys: the next request with it is refused. @throws Refusal not-found */
export async function revokeApiKey(sellerId: string, keyId: string): Promise<void> {
  if (!isUuid(keyId)) throw notFound("Chave não encontrada");
  const gone = await db
    .update(apiKeys)
    .set({ revokedAt: new Date() })
    .where(and(eq(apiKeys.sellerId, sellerId), eq(apiKeys.id, keyId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  if (gone.length === 0) throw notFound("Chave não encontrada");
}
