import { and, count, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { apiKeys, emailTokens } from "#app/db/schema/sellers.server.ts";
import { usableToken } from "#app/domain/identity/email/redeem-email-token.server.ts";

/** The number of API keys of the account whose password a link resets. Null if the link is not valid. */
export async function findReset(token: string): Promise<{ keys: number } | null> {
  const [found] = await db
    .select({ keys: count(apiKeys.id) })
    .from(emailTokens)
    .leftJoin(apiKeys, and(eq(apiKeys.sellerId, emailTokens.sellerId), isNull(apiKeys.revokedAt)))
    .where(usableToken(token, "reset"))
    .groupBy(emailTokens.id);
  return found ?? null;
}
