import { mailSettings } from "#app/db/schema/mail-settings.server.ts";
import { inSellersTurn, refuseStale, versionOf } from "#app/db/version.server.ts";
import { findReminders } from "#app/domain/reminder/schedule/find-reminders.server.ts";

/**
 * Keeps when a seller's buyers are reminded of an unpaid PIX, in minutes; none where the list is empty.
 * @throws Refusal conflict where it was saved since `version`
 */
export async function saveReminders(
  sellerId: string,
  reminderMinutes: number[],
  version?: string,
): Promise<void> {
  await inSellersTurn(sellerId, async (tx) => {
    refuseStale(version, remindersVersion(await findReminders(sellerId, tx)));
    await tx
      .insert(mailSettings)
      .values({ sellerId, reminderMinutes })
      .onConflictDoUpdate({
        target: mailSettings.sellerId,
        set: { reminderMinutes, updatedAt: new Date() },
      });
  });
}

/** The version of what the reminders' form shows. */
export function remindersVersion(shown: number[]): string {
  return versionOf(shown);
}
