import { and, eq, gt, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { buyerSessions } from "#app/db/schema/buyers.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { hashToken, randomToken } from "#app/platform/secrets.server.ts";

/** How long a browser stays in the buyer's place. */
export const PLACE_LIFETIME = 7 * DAY;

const usable = (link: string) =>
  and(
    eq(buyerSessions.linkHash, hashToken(link)),
    isNull(buyerSessions.tokenHash),
    gt(buyerSessions.expiresAt, new Date()),
  );

/** Refuses a link that would open nothing; looking spends nothing, since mail scanners open links. @throws Refusal forbidden */
export async function checkPlaceLink(link: string): Promise<void> {
  const [found] = await db.select({ id: buyerSessions.id }).from(buyerSessions).where(usable(link));
  if (!found) throw ended();
}

/**
 * Opens the buyer's place by a mailed link, once: of two presses at the same time one gets in.
 * @returns the token that the browser's cookie holds
 * @throws Refusal forbidden where the link is unknown, spent or expired
 */
export async function openPlace(link: string): Promise<string> {
  const token = randomToken();
  const [opened] = await db
    .update(buyerSessions)
    .set({ tokenHash: hashToken(token), expiresAt: new Date(Date.now() + PLACE_LIFETIME) })
    .where(usable(link))
    .returning({ id: buyerSessions.id });
  if (!opened) throw ended();
  return token;
}

/** Whether a link that was mailed to an address is this one, spent or not: who is in its place already may go in again. */
export async function isLinkTo(email: string, link: string): Promise<boolean> {
  const [found] = await db
    .select({ id: buyerSessions.id })
    .from(buyerSessions)
    .where(and(eq(buyerSessions.linkHash, hashToken(link)), eq(buyerSessions.email, email)));
  return found !== undefined;
}

/** The e-mail whose purchases a token shows; null where it is unknown, closed or expired. */
export async function findBuyer(token: string): Promise<{ email: string } | null> {
  const [found] = await db
    .select({ email: buyerSessions.email })
    .from(buyerSessions)
    .where(and(eq(buyerSessions.tokenHash, hashToken(token)), gt(buyerSessions.expiresAt, new Date())));
  return found ?? null;
}

/** Ends what a token opened. */
export async function closePlace(token: string): Promise<void> {
  await db.delete(buyerSessions).where(eq(buyerSessions.tokenHash, hashToken(token)));
}

function ended(): Refusal {
  return new Refusal("forbidden", "Este link já foi usado ou expirou: cada um vale por 30 minutos.");
}
