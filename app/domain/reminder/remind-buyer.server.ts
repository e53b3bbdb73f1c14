import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { byNow } from "#app/db/columns.server.ts";
import { reminders, type WaitingPix } from "#app/db/schema/mails.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { showPix } from "#app/domain/pix/show-pix.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { mayRemind } from "#app/domain/reminder/may-remind.server.ts";
import { findReminders } from "#app/domain/reminder/schedule/find-reminders.server.ts";
import {
  endReminders,
  putOffReminder,
  scheduleNext,
} from "#app/domain/reminder/schedule/schedule-reminder.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { askAboutSale } from "#app/domain/settlement/check-pix.server.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";
import { REMINDERS } from "#app/queue/names.ts";
import { definePump } from "#app/queue/pump.server.ts";

/** News of a payment that nobody could confirm yet are waited for, for as long as they are old, and not for ever. */
const ASK_AGAIN_AFTER = { least: 2 * MINUTE, most: 6 * HOUR };
const WAIT_FOR_NEWS = 3 * DAY;
const TRY_AGAIN_AFTER = 15 * MINUTE;
/** Longer than asking the provider and making a code take. */
const LEASE = 3 * MINUTE;

/** An order whose buyer is to be reminded now: the first, second or third time; `since`: when its first PIX was made. */
export type DueReminder = Pick<typeof reminders.$inferSelect, "saleId" | "number" | "since" | "requestId">;

/** Reminds buyers of unpaid orders. */
export const reminding = definePump<DueReminder>({
  name: REMINDERS,
  atOnce: 4,
  every: 15 * SECOND,
  claim: claimReminders,
  async handle(due) {
    try {
      await remindBuyer(due);
    } catch (error) {
      await putOffReminder(db, due, TRY_AGAIN_AFTER);
      throw error;
    }
  },
  about: ({ saleId, number }) => ({ saleId, number }),
  request: ({ requestId }) => requestId,
});

/** Takes reminders that are due, the longest due first. */
export async function claimReminders(most: number): Promise<DueReminder[]> {
  return db
    .update(reminders)
    .set({ dueAt: sql`now() + make_interval(secs => ${LEASE / SECOND})` })
    .where(
      sql`${reminders.saleId} = any(array(select sale_id from reminders where due_at <= ${byNow}
        order by due_at limit ${most} for update skip locked))`,
    )
    .returning();
}

/**
 * Reminds a buyer of an unpaid order, with a PIX that can be paid when the mail arrives, and sets the next reminder.
 * Paying, opting out, and the seller switching reminders off end it. Who does it a second time has no effect: the mail has
 * its key, and the row its number.
 */
export async function remindBuyer(due: Omit<DueReminder, "requestId">): Promise<void> {
  const { saleId, number } = due;
  const end = () => endReminders(db, due);
  if (!(await mayRemind(saleId))) return end();
  const sale = await readSaleContacts(db, saleId);
  const recipient = sale?.customerEmail;
  if (sale?.status !== "pending" || !recipient) return end();
  if ((await findReminders(sale.sellerId)).length < number) return end();
  // Before a buyer is told that they have not paid, the provider is asked; news of a payment is waited for.
  const now = await askAboutSale(saleId);
  if (now.api === "completed" || now.buyer === "mispaid") return end();
  if (now.buyer === "announced") {
    const age = Date.now() - due.since.getTime();
    if (age > WAIT_FOR_NEWS) return end();
    return putOffReminder(db, due, Math.min(Math.max(age, ASK_AGAIN_AFTER.least), ASK_AGAIN_AFTER.most));
  }
  const pix = await payablePix(saleId);
  if (!pix) return end();
  await db.transaction(async (tx) => {
    await queueMail(tx, {
      kind: "reminder",
      idempotencyKey: `reminder/${saleId}/${number}`,
      recipient,
      sellerId: sale.sellerId,
      saleId,
      facts: { ...pix, number },
    });
    await scheduleNext(tx, due, sale.sellerId);
  });
}

/** The order's PIX, a new one where the old one's time is over; null where the seller takes no payments now. */
async function payablePix(saleId: string): Promise<WaitingPix | null> {
  try {
    await startPix(saleId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    log.info({ saleId, refusal: error.message }, "no reminder: no PIX can be made");
    return null;
  }
  const charge = (await showPix(saleId))?.charge;
  if (charge?.status !== "open" || !charge.pixCode) return null;
  const { pixCode, expiresAt, notice } = charge;
  return { pixCode, expiresAt: expiresAt?.toISOString() ?? null, notice };
}
