import { and, desc, eq, gt } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sessions } from "#app/db/schema/sellers.server.ts";

export type SessionRow = { id: string; ip: string | null; userAgent: string | null; lastUsedAt: Date };

/** The seller's valid sessions, last used first. At most 50. */
export function listSessions(sellerId: string): Promise<SessionRow[]> {
  return db
    .select({
      id: sessions.id,
      ip: sessions.ip,
      userAgent: sessions.userAgent,
      lastUsedAt: sessions.lastUsedAt,
    })
    .from(sessions)
    .where(and(eq(sessions.sellerId, sellerId), gt(sessions.expiresAt, new Date())))
    .orderBy(desc(sessions.lastUsedAt))
    .limit(50);
}
