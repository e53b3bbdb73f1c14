import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";

/** A mail that arrives later than this would confuse its reader. */
export const GIVE_UP_AFTER = 3 * DAY;

/** Gives a mail up that is still being attempted. `why` is Portuguese: its seller reads it in the delivery list. */
export async function endMail(mailId: string, why: string): Promise<void> {
  await db
    .update(mails)
    .set({ status: "failed", error: why, claimedAt: null })
    .where(and(eq(mails.id, mailId), eq(mails.status, "attempting")));
  log.warn({ mailId, why }, "mail given up");
}
