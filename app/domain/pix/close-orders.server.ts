import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { mailSettings } from "#app/db/schema/mail-settings.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { isAnnounced } from "#app/domain/charge/find-standing.server.ts";
import { DEFAULT_REMINDERS } from "#app/domain/reminder/schedule/reminder-times.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob } from "#app/queue/job.server.ts";

const AT_ONCE = 200;
const LAST_DEFAULT = Math.max(...DEFAULT_REMINDERS);

/**
 * Closes orders a day after their last code ran out and their last reminder was due: they are cancelled, and a payment
 * that comes all the same still completes them. Rows that somebody else holds are left for the next time.
 */
export const closeOrders = defineJob<Record<string, never>>("close-orders", async () => {
  let closed = 0;
  for (let batch = AT_ONCE; batch === AT_ONCE; closed += batch) batch = await closeBatch();
  if (closed > 0) log.info({ orders: closed }, "unpaid orders closed");
});

async function closeBatch(): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({ id: sales.id, status: sales.status })
      .from(sales)
      .where(
        sql`${sales.status} = 'pending' and ${sales.createdAt} < now() - interval '1 day' - make_interval(mins => coalesce(
            (select coalesce((select max(x) from unnest(m.reminder_minutes) x), 0) from ${mailSettings} m
              where m.seller_id = ${sales.sellerId}), ${LAST_DEFAULT})::int)
          and not exists (select from charges c where c.sale_id = ${sales.id}
            and coalesce(c.expires_at, c.created_at) > now() - interval '1 day')
          and not ${isAnnounced}`,
      )
      .orderBy(sales.createdAt)
      .limit(AT_ONCE)
      .for("update", { skipLocked: true });
    for (const sale of due) await moveSale(tx, sale, { to: "cancelled" }, "clock");
    return due.length;
  });
}
