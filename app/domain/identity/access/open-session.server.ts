import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers, sessions } from "#app/db/schema/sellers.server.ts";
import { cleanLine, truncate } from "#app/kit/clean-text.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { DAY } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { hashToken, randomToken } from "#app/platform/secrets.server.ts";

/** How long an unused session lives. */
export const SESSION_LIFETIME = 30 * DAY;

/** What proved who it is, as it is stored: a password by its hash, or the identity provider's account by its subject. */
export type SignInProof = { passwordHash?: string; subject?: string };

/**
 * Opens a session, unless the account is anonymized, or no longer has the password or identity that proved who it is, also
 * where that happens meanwhile.
 * @returns the token for the cookie; only its hash is stored
 * @throws Refusal unauthorized
 */
export async function openSession(
  sellerId: string,
  origin: RequestOrigin,
  { passwordHash, subject }: SignInProof = {},
): Promise<string> {
  const token = randomToken();
  const userAgent = origin.userAgent && truncate(cleanLine(origin.userAgent), 300);
  const expiresAt = new Date(Date.now() + SESSION_LIFETIME).toISOString();
  const unlessReplaced = passwordHash === undefined ? sql`` : sql`and password_hash = ${passwordHash}`;
  const unlessEnded = subject === undefined ? sql`` : sql`and oauth_subject = ${subject}`;
  // With this lock the seller is not updated meanwhile: whoever replaces the password or ends the identity either ends this
  // session too, or is waited for. An insert's own check of its seller does not look at their columns.
  const opened = await db.execute(sql`
    insert into ${sessions} (seller_id, token_hash, ip, user_agent, expires_at)
    select id, ${hashToken(token)}, ${origin.ip}, ${userAgent}, ${expiresAt}::timestamptz
    from ${sellers} where id = ${sellerId} and anonymized_at is null ${unlessReplaced} ${unlessEnded} for share
    returning id`);
  if (opened.length === 0)
    throw new Refusal(
      "unauthorized",
      subject === undefined ? "E-mail ou senha incorretos" : "Esta identidade não abre mais a conta.",
    );
  return token;
}
