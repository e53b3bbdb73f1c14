import { eq } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { DEFAULT_REMINDER_TIMES, mailSettings } from "#app/db/schema/mail-settings.server.ts";

/** When a seller's buyers are reminded, in minutes after the PIX was created, earliest first. */
export async function findReminderTimes(sellerId: string, tx: Db = db): Promise<number[]> {
  const [row] = await tx
    .select({ minutes: mailSettings.reminderMinutes })
    .from(mailSettings)
    .where(eq(mailSettings.sellerId, sellerId));
  return row?.minutes ?? DEFAULT_REMINDER_TIMES;
}
