import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { reminders } from "#app/db/schema/mails.server.ts";
import { findReminderTimes } from "#app/domain/reminder/schedule/find-reminder-times.server.ts";

/** An order's next reminder: its number (from 1), and when its first PIX was created, or its card declined. */
type Reminder = { saleId: string; number: number; since: Date };

/**
 * Schedules the first reminder of an unpaid order whose card was declined, unless it has one or had: a series begins with the mail
 * of a PIX, or with a declined card, and ended before its order was cancelled and reopened. Each contains a PIX.
 */
export async function startReminders(tx: Db, sale: { id: string; sellerId: string }): Promise<void> {
  const [minutes] = await findReminderTimes(sale.sellerId, tx);
  if (minutes === undefined) return;
  const [order] = await tx.execute<{ wasReminded: boolean }>(sql`
    select exists (select from mails where seller_id = ${sale.sellerId} and sale_id = ${sale.id} and kind in ('pix', 'reminder'))
      or exists (select from sale_events r inner join charges c on c.seller_id = r.seller_id and c.sale_id = r.sale_id
        inner join charge_events e on e.seller_id = c.seller_id and e.charge_id = c.id and e.kind = 'declined' and e.at < r.at
        where r.seller_id = ${sale.sellerId} and r.sale_id = ${sale.id} and r.kind = 'reopened') as "wasReminded"`);
  if (order?.wasReminded) return;
  await tx
    .insert(reminders)
    .values({
      ...{ saleId: sale.id, sellerId: sale.sellerId, number: 1, since: sql`now()` },
      scheduledAt: sql`now() + make_interval(mins => ${minutes})`,
    })
    .onConflictDoNothing();
}

/**
 * Replaces a sent reminder by the next one, or ends the series where the seller has no more. Where this one came late, the next
 * one keeps its distance. No effect where another process did it already.
 */
export async function scheduleNextReminder(
  tx: Db,
  { saleId, number, since }: Reminder,
  sellerId: string,
): Promise<void> {
  const times = await findReminderTimes(sellerId, tx);
  const minutes = times[number];
  if (minutes === undefined) return endReminders(tx, { saleId, number });
  const due = sql`${since.toISOString()}::timestamptz + make_interval(mins => ${minutes})`;
  const apart = sql`make_interval(mins => ${minutes - times[number - 1]!})`;
  await tx
    .update(reminders)
    .set({ number: number + 1, scheduledAt: sql`greatest(${due}, now() + ${apart})` })
    .where(isUnchanged({ saleId, number }));
}

/** Ends the reminders of an order. */
export async function endReminders(tx: Db, reminder: Omit<Reminder, "since">): Promise<void> {
  await tx.delete(reminders).where(isUnchanged(reminder));
}

/** Postpones a reminder by `ms`. */
export async function postponeReminder(tx: Db, reminder: Omit<Reminder, "since">, ms: number): Promise<void> {
  const scheduledAt = sql`now() + ${ms}::int * interval '1 millisecond'`;
  await tx.update(reminders).set({ scheduledAt: scheduledAt }).where(isUnchanged(reminder));
}

const isUnchanged = ({ saleId, number }: Omit<Reminder, "since">) =>
  and(eq(reminders.saleId, saleId), eq(reminders.number, number));
