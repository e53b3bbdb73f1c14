import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { reminders } from "#app/db/schema/mails.server.ts";
import { findReminders } from "#app/domain/reminder/schedule/find-reminders.server.ts";
import { MINUTE } from "#app/kit/duration.ts";

/** An order's next reminder: which one (from 1), and since when its buyer has a PIX. */
type Reminder = { saleId: string; number: number; since: Date };

/** Sets the reminder after this one, which is done; nothing where others have gone on with it, no more where the seller has fewer. */
export async function scheduleNext(
  tx: Db,
  { saleId, number, since }: Reminder,
  sellerId: string,
): Promise<void> {
  const minutes = (await findReminders(sellerId, tx))[number];
  if (minutes === undefined) return endReminders(tx, { saleId, number });
  await tx
    .update(reminders)
    .set({ number: number + 1, dueAt: new Date(since.getTime() + minutes * MINUTE) })
    .where(isStill({ saleId, number }));
}

/** No further reminder of this order. */
export async function endReminders(tx: Db, reminder: Omit<Reminder, "since">): Promise<void> {
  await tx.delete(reminders).where(isStill(reminder));
}

/** The same one again, so much later (ms). */
export async function putOffReminder(tx: Db, reminder: Omit<Reminder, "since">, ms: number): Promise<void> {
  const dueAt = sql`now() + ${ms}::int * interval '1 millisecond'`;
  await tx.update(reminders).set({ dueAt }).where(isStill(reminder));
}

const isStill = ({ saleId, number }: Omit<Reminder, "since">) =>
  and(eq(reminders.saleId, saleId), eq(reminders.number, number));
