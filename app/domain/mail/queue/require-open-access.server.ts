import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { apiKeys, sellers, sessions } from "#app/db/schema/sellers.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Refuses a change by a session or API key that was ended since its request began, as while it waited for a lock. Held
 * until the transaction ends: whoever ends that access meanwhile waits, and then finds what was changed.
 * @throws Refusal unauthorized
 */
export async function requireOpenAccess(
  tx: Db,
  sellerId: string,
  { sessionId, keyId }: Pick<RequestOrigin, "sessionId" | "keyId"> = {},
): Promise<void> {
  if (!sessionId && !keyId) return;
  // Before the session, as by whoever ends all access.
  await tx.select({ id: sellers.id }).from(sellers).where(eq(sellers.id, sellerId)).for("key share");
  const open = sessionId
    ? tx
        .select({ one: sql`1` })
        .from(sessions)
        .where(and(eq(sessions.id, sessionId), eq(sessions.sellerId, sellerId)))
        .for("key share")
    : tx
        .select({ one: sql`1` })
        .from(apiKeys)
        .where(and(eq(apiKeys.id, keyId!), eq(apiKeys.sellerId, sellerId), isNull(apiKeys.revokedAt)))
        .for("share");
  if ((await open).length > 0) return;
  throw new Refusal("unauthorized", "Este acesso foi encerrado e nada foi mudado. Entre de novo.");
}
