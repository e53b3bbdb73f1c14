import { and, eq, gt, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { buyerSessions } from "#app/db/schema/buyers.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { hashToken, randomToken } from "#app/platform/secrets.server.ts";

/** How long a browser stays signed in to the buyer portal. */
export const PORTAL_LIFETIME = 7 * DAY;

const isUsableLink = (link: string) =>
  and(
    eq(buyerSessions.linkHash, hashToken(link)),
    isNull(buyerSessions.tokenHash),
    gt(buyerSessions.expiresAt, new Date()),
  );

/** Refuses an invalid link without using it up, since mail scanners open links. @throws Refusal forbidden */
export async function checkPortalLink(link: string): Promise<void> {
  const [found] = await db.select({ id: buyerSessions.id }).from(buyerSessions).where(isUsableLink(link));
  if (!found) throw linkExpired();
}

/**
 * Opens the buyer portal with a mailed link, once: of two simultaneous requests one succeeds.
 * @returns the token for the browser's cookie
 * @throws Refusal forbidden where the link is unknown, used or expired
 */
export async function openPortal(link: string): Promise<string> {
  const token = randomToken();
  const [opened] = await db
    .update(buyerSessions)
    .set({ tokenHash: hashToken(token), expiresAt: new Date(Date.now() + PORTAL_LIFETIME) })
    .where(isUsableLink(link))
    .returning({ id: buyerSessions.id });
  if (!opened) throw linkExpired();
  return token;
}

/** Whether this link was mailed to this address, used or not: a buyer who is signed in already may open it again. */
export async function isPortalLinkOf(email: string, link: string): Promise<boolean> {
  const [found] = await db
    .select({ id: buyerSessions.id })
    .from(buyerSessions)
    .where(and(eq(buyerSessions.linkHash, hashToken(link)), eq(buyerSessions.email, email)));
  return found !== undefined;
}

/** The e-mail whose purchases a token shows; null where it is unknown, closed or expired. */
export async function findPortalBuyer(token: string): Promise<{ email: string } | null> {
  const [found] = await db
    .select({ email: buyerSessions.email })
    .from(buyerSessions)
    .where(and(eq(buyerSessions.tokenHash, hashToken(token)), gt(buyerSessions.expiresAt, new Date())));
  return found ?? null;
}

/** Closes the portal for a token. */
export async function closePortal(token: string): Promise<void> {
  await db.delete(buyerSessions).where(eq(buyerSessions.tokenHash, hashToken(token)));
}

function linkExpired(): Refusal {
  return new Refusal(
    "forbidden",
    "Este link já foi usado ou expirou: cada um vale por 30 minutos. Peça outro em Minhas compras.",
  );
}
