import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { sessions } from "#app/db/schema/sellers.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/** Ends the session of a cookie's token; an unknown one is no error. */
export async function endSession(token: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.tokenHash, hashToken(token)));
}

/** Ends one of the seller's sessions. @throws Refusal not-found, also for another seller's */
export async function revokeSession(sellerId: string, sessionId: string): Promise<void> {
  if (!isUuid(sessionId)) throw notFound("Sessão não encontrada");
  const ended = await db
    .delete(sessions)
    .where(ownById(sessions, sellerId, sessionId))
    .returning({ id: sessions.id });
  if (ended.length === 0) throw notFound("Sessão não encontrada");
}
