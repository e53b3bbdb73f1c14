import { and, count, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { apiKeys, emailTokens } from "#app/db/schema/sellers.server.ts";
import { usableToken } from "#app/domain/identity/email/spend-email-token.server.ts";

/** What a link to a new password opens: how many API keys its account has. Null where the link would not be taken. */
export async function findReset(token: string): Promise<{ keys: number } | null> {
  const [found] = await db
    .select({ keys: count(apiKeys.id) })
    .from(emailTokens)
    .leftJoin(apiKeys, and(eq(apiKeys.sellerId, emailTokens.sellerId), isNull(apiKeys.revokedAt)))
    .where(usableToken(token, "reset"))
    .groupBy(emailTokens.id);
  return found ?? null;
}
