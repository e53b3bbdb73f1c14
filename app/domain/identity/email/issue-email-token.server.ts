import { and, eq, isNull, ne } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { emailTokens } from "#app/db/schema/sellers.server.ts";
import { DAY, HOUR } from "#app/kit/duration.ts";
import { hashToken, randomToken } from "#app/platform/secrets.server.ts";

/** The purpose of a link: to confirm an address, or to set a new password. */
export type TokenPurpose = "confirm" | "reset";

/** How long a link works. */
const LIFETIME: Record<TokenPurpose, number> = { confirm: 3 * DAY, reset: HOUR };

/**
 * Creates a single-use token for a link to `email`; only its hash is stored. Links for other addresses stop working:
 * only the address requested last counts.
 * @returns the token and the id of its row
 */
export async function issueEmailToken(
  tx: Db,
  token: { sellerId: string; purpose: TokenPurpose; email: string },
): Promise<{ id: string; token: string }> {
  const plain = randomToken();
  const [row] = await tx
    .insert(emailTokens)
    .values({
      ...token,
      tokenHash: hashToken(plain),
      expiresAt: new Date(Date.now() + LIFETIME[token.purpose]),
    })
    .returning({ id: emailTokens.id });
  // After the insert, which locks the seller: tokens are locked after their seller everywhere.
  await tx
    .update(emailTokens)
    .set({ usedAt: new Date() })
    .where(
      and(
        eq(emailTokens.sellerId, token.sellerId),
        eq(emailTokens.purpose, token.purpose),
        ne(emailTokens.email, token.email),
        isNull(emailTokens.usedAt),
      ),
    );
  return { id: row!.id, token: plain };
}
