import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { rejectStale, versionOf } from "#app/db/version.server.ts";
import type { NotificationsForm } from "#app/domain/identity/account-form.server.ts";
import type { Account } from "#app/domain/identity/find-account.server.ts";
import { notFound } from "#app/kit/refusal.ts";

/** Saves which mails a seller wants. @throws Refusal conflict if it was saved since `version` */
export async function saveNotifications(
  sellerId: string,
  wanted: NotificationsForm,
  version?: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [seller] = await tx.select().from(sellers).where(eq(sellers.id, sellerId)).for("no key update");
    if (!seller) throw notFound();
    rejectStale(version, notificationsVersion(seller));
    await tx
      .update(sellers)
      .set({
        notifyNewSale: wanted.email_new_sale,
        notifyFailedPayment: wanted.email_failed_payment,
        notifyWeeklyReport: wanted.email_weekly_report,
        notifyMonthlyReport: wanted.email_monthly_report,
      })
      .where(eq(sellers.id, sellerId));
  });
}

type NotificationSettings = Pick<
  Account,
  "notifyNewSale" | "notifyFailedPayment" | "notifyWeeklyReport" | "notifyMonthlyReport"
>;

/** The version of the notification form's data. */
export function notificationsVersion(settings: NotificationSettings): string {
  const { notifyNewSale, notifyFailedPayment, notifyWeeklyReport, notifyMonthlyReport } = settings;
  return versionOf([notifyNewSale, notifyFailedPayment, notifyWeeklyReport, notifyMonthlyReport]);
}
