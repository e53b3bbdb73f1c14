import { mailSettings } from "#app/db/schema/mail-settings.server.ts";
import { rejectStale, versionOf, withSellerLock } from "#app/db/version.server.ts";
import { findReminderTimes } from "#app/domain/reminder/schedule/find-reminder-times.server.ts";

/**
 * Saves when a seller's buyers are reminded of an unpaid PIX, in minutes; an empty list means never.
 * @throws Refusal conflict where it was saved since `version`
 */
export async function saveReminderTimes(
  sellerId: string,
  reminderMinutes: number[],
  version?: string,
): Promise<void> {
  await withSellerLock(sellerId, async (tx) => {
    rejectStale(version, reminderTimesVersion(await findReminderTimes(sellerId, tx)));
    await tx
      .insert(mailSettings)
      .values({ sellerId, reminderMinutes })
      .onConflictDoUpdate({
        target: mailSettings.sellerId,
        set: { reminderMinutes, updatedAt: new Date() },
      });
  });
}

/** The version of the reminders' form. */
export function reminderTimesVersion(minutes: number[]): string {
  return versionOf(minutes);
}
