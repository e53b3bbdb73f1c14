import { and, eq, inArray, isNull, ne, type SQL } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { emailTokens } from "#app/db/schema/sellers.server.ts";
import { linkEnd } from "#app/domain/mail/queue/link-lifetimes.ts";
import { hashToken, randomToken } from "#app/platform/secrets.server.ts";

/** The purpose of a link: to confirm an address, or to set a new password. */
export type TokenPurpose = "confirm" | "reset";

/** The mail with the link. */
const MAIL_KIND = { confirm: "confirm-email", reset: "reset-password" } as const;

/** What a link is for, and the address that it is mailed to. */
type Link = { sellerId: string; purpose: TokenPurpose; email: string };

/** The condition of a seller's unused tokens of one purpose for other addresses than `email`. */
export const unusedForOtherAddresses = ({ sellerId, purpose, email }: Link) =>
  and(
    eq(emailTokens.sellerId, sellerId),
    eq(emailTokens.purpose, purpose),
    ne(emailTokens.email, email),
    isNull(emailTokens.usedAt),
  );

/** Voids those tokens. The seller is locked already: tokens are locked after their seller everywhere. */
export async function voidForOtherAddresses(tx: Db, link: Link): Promise<void> {
  await voidTokens(tx, unusedForOtherAddresses(link));
}

/** Voids the tokens of a condition. Two requests may both hold their seller's lock, so the rows are locked in one order. */
export async function voidTokens(tx: Db, condition: SQL | undefined): Promise<void> {
  const locked = await tx
    .select({ id: emailTokens.id })
    .from(emailTokens)
    .where(condition)
    .orderBy(emailTokens.id)
    .for("no key update");
  const ids = locked.map(({ id }) => id);
  if (ids.length > 0)
    await tx.update(emailTokens).set({ usedAt: new Date() }).where(inArray(emailTokens.id, ids));
}

/**
 * Creates a single-use token for a link to `email`; only its hash is stored. Links for other addresses stop working:
 * only the address requested last counts.
 * @returns the token, when it ends, and the id of its row
 */
export async function issueEmailToken(
  tx: Db,
  link: Link,
): Promise<{ id: string; token: string; expiresAt: Date }> {
  const plain = randomToken();
  const expiresAt = linkEnd(MAIL_KIND[link.purpose]);
  const [row] = await tx
    .insert(emailTokens)
    .values({
      ...link,
      tokenHash: hashToken(plain),
      expiresAt,
    })
    .returning({ id: emailTokens.id });
  // After the insert, which locks the seller.
  await voidForOtherAddresses(tx, link);
  return { id: row!.id, token: plain, expiresAt };
}
