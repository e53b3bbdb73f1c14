import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import type { NotificationsForm } from "#app/domain/identity/account-form.server.ts";

/** Keeps which mails a seller wants. */
export async function saveNotifications(sellerId: string, wanted: NotificationsForm): Promise<void> {
  await db
    .update(sellers)
    .set({
      notifyNewSale: wanted.email_new_sale,
      notifyFailedPayment: wanted.email_failed_payment,
      notifyWeeklyReport: wanted.email_weekly_report,
      notifyMonthlyReport: wanted.email_monthly_report,
    })
    .where(eq(sellers.id, sellerId));
}
