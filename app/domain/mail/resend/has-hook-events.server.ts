import { and, desc, eq, gte } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { mailEvents } from "#app/db/schema/mail-settings.server.ts";
import type { ResendHook } from "#app/domain/mail/resend/ensure-hook.server.ts";

/** So that a page does not read a month of a large shop's. Resend's ids begin with the time: they are the newest. */
const MAX_READ = 1000;

/** Whether a webhook of a seller's account was verified with the secret that is stored now. */
export async function hasHookEvents(sellerId: string, { id, checkedAt }: ResendHook): Promise<boolean> {
  const newest = db
    .select({ receivedAt: mailEvents.receivedAt })
    .from(mailEvents)
    .where(and(eq(mailEvents.hookId, id), eq(mailEvents.sellerId, sellerId)))
    .orderBy(desc(mailEvents.svixId))
    .limit(MAX_READ)
    .as("newest");
  const found = await db
    .select({ receivedAt: newest.receivedAt })
    .from(newest)
    .where(checkedAt ? gte(newest.receivedAt, checkedAt) : undefined)
    .limit(1);
  return found.length > 0;
}
