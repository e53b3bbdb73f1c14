import { db } from "#app/db/client.server.ts";
import { mailSettings } from "#app/db/schema/mail-settings.server.ts";

/** Keeps when a seller's buyers are reminded of an unpaid PIX, in minutes; none where the list is empty. */
export async function saveReminders(sellerId: string, reminderMinutes: number[]): Promise<void> {
  await db
    .insert(mailSettings)
    .values({ sellerId, reminderMinutes })
    .onConflictDoUpdate({ target: mailSettings.sellerId, set: { reminderMinutes, updatedAt: new Date() } });
}
