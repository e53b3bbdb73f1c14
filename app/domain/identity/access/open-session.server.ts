import { db } from "#app/db/client.server.ts";
import { sessions } from "#app/db/schema/sellers.server.ts";
import { cleanLine, truncate } from "#app/kit/clean-text.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { DAY } from "#app/kit/duration.ts";
import { hashToken, randomToken } from "#app/platform/secrets.server.ts";

/** How long an unused session lives. */
export const SESSION_LIFETIME = 30 * DAY;

/** Opens a session. @returns the token for the cookie; only its hash is stored */
export async function openSession(sellerId: string, origin: RequestOrigin): Promise<string> {
  const token = randomToken();
  await db.insert(sessions).values({
    sellerId,
    tokenHash: hashToken(token),
    ip: origin.ip,
    userAgent: origin.userAgent && truncate(cleanLine(origin.userAgent), 300),
    expiresAt: new Date(Date.now() + SESSION_LIFETIME),
  });
  return token;
}
