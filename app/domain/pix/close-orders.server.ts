import { and, sql } from "drizzle-orm";
import { batchDb, db } from "#app/db/client.server.ts";
import { anyOf } from "#app/db/conditions.server.ts";
import { DEFAULT_REMINDER_TIMES, mailSettings } from "#app/db/schema/mail-settings.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { isPaymentAnnounced } from "#app/domain/charge/conditions.server.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob } from "#app/queue/job.server.ts";
import { FIRST_CURSOR, readIds } from "#app/queue/read-batches.server.ts";
import { runBatches } from "#app/queue/run-each.server.ts";

const BATCH_SIZE = 200;
const MAX_DEFAULT_REMINDER = Math.max(...DEFAULT_REMINDER_TIMES);

/**
 * Cancels orders a day after their last code expired and their last reminder was due; a later payment still completes them.
 * Not while it is open whether a card was charged: a process may have died before it wrote the answer. Locked rows are skipped until the next run.
 */
export const closeOrders = defineJob<Record<string, never>>("close-orders", async () => {
  let closed = 0;
  const close = async (ids: string[]) => {
    closed += await closeOverdue(ids);
  };
  await runBatches(listBatches(), close, "unpaid orders not closed").finally(() => {
    if (closed > 0) log.info({ orders: closed }, "unpaid orders closed");
  });
});

const isOverdue = sql`${sales.status} = 'pending' and ${sales.createdAt} < now() - interval '1 day' - make_interval(mins => coalesce(
    (select coalesce((select max(x) from unnest(m.reminder_minutes) x), 0) from ${mailSettings} m
      where m.seller_id = ${sales.sellerId}), ${MAX_DEFAULT_REMINDER})::int)
  and not exists (select from charges c where c.seller_id = ${sales.sellerId} and c.sale_id = ${sales.id}
    and (c.status in ('creating', 'unknown', 'in_review') or coalesce(c.expires_at, c.created_at) > now() - interval '1 day'))
  and not ${isPaymentAnnounced}`;

/** Batches of overdue orders, until the process stops. */
function listBatches(): AsyncGenerator<string[]> {
  return readIds(FIRST_CURSOR, BATCH_SIZE, async ({ at, id }) =>
    batchDb
      .select({ id: sales.id, at: sql<string>`${sales.createdAt}::text` })
      .from(sales)
      .where(
        sql`${isOverdue} and ${sales.createdAt} >= ${at}::text::timestamptz
          and (${sales.createdAt}, ${sales.id}) > (${at}::text::timestamptz, ${id}::uuid)`,
      )
      .orderBy(sales.createdAt, sales.id)
      .limit(BATCH_SIZE),
  );
}

/** @returns how many were closed */
async function closeOverdue(ids: string[]): Promise<number> {
  return db.transaction(async (tx) => {
    const locked = await tx
      .select({ id: sales.id })
      .from(sales)
      .where(anyOf(sales.id, ids))
      .orderBy(sales.id)
      .for("update", { skipLocked: true });
    if (locked.length === 0) return 0;
    // A charge that was claimed before that lock is seen by the next statement only.
    const overdue = await tx
      .select({ id: sales.id, sellerId: sales.sellerId, status: sales.status })
      .from(sales)
      .where(
        and(
          anyOf(
            sales.id,
            locked.map(({ id }) => id),
          ),
          isOverdue,
        ),
      );
    for (const sale of overdue) await moveSale(tx, sale, { to: "cancelled" }, "clock");
    return overdue.length;
  });
}
