import type { Db } from "#app/db/client.server.ts";
import { findReminders } from "#app/domain/reminder/schedule/find-reminders.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { REMIND_BUYER } from "#app/queue/names.ts";

/** Sets an order's reminder of this number (from 1), `since` being when its PIX was made; nothing where the seller has fewer. */
export async function scheduleReminder(
  tx: Db,
  { saleId, sellerId, number, since }: { saleId: string; sellerId: string; number: number; since: Date },
): Promise<void> {
  const minutes = (await findReminders(sellerId, tx))[number - 1];
  if (minutes === undefined) return;
  const ids = { saleId, number, since: since.getTime() };
  const when = new Date(since.getTime() + minutes * MINUTE);
  await enqueue(tx, REMIND_BUYER, ids, { key: `${saleId}:${number}`, when });
}
