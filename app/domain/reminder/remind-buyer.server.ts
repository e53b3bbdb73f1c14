import { and, desc, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { nowRoundedUp } from "#app/db/columns.server.ts";
import { ownOfSale } from "#app/db/conditions.server.ts";
import type { PendingPix } from "#app/db/schema/mail-data.ts";
import { reminders } from "#app/db/schema/mails.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { isPayable } from "#app/domain/charge/conditions.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { showPix } from "#app/domain/pix/show-pix.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { hasStoppedReminders, mayRemind } from "#app/domain/reminder/may-remind.server.ts";
import { findReminderTimes } from "#app/domain/reminder/schedule/find-reminder-times.server.ts";
import {
  endReminders,
  postponeReminder,
  scheduleNextReminder,
} from "#app/domain/reminder/schedule/schedule-reminder.server.ts";
import type { BuyerPaymentSummary } from "#app/domain/sale/payment-summary.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { checkPendingCharges } from "#app/domain/settlement/check-pix.server.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";
import { defineQueue } from "#app/queue/define-queue.server.ts";
import { REMINDERS } from "#app/queue/names.ts";

/**
 * While it is uncertain whether the order was paid, and while no code can be created, the reminder is postponed by the order's
 * age within these bounds, until it is late by the maximum wait.
 */
const RECHECK_DELAY = { min: 2 * MINUTE, max: 6 * HOUR };
/** A payment may have been made, and will be known. */
const BEING_CONFIRMED: BuyerPaymentSummary[] = ["announced", "verifying", "challenged", "in-review"];
const MAX_CONFIRMATION_WAIT = 3 * DAY;
const RETRY_DELAY = 15 * MINUTE;
/** A buyer needs this long from the reminder to the payment: a code that ends sooner is not mailed. */
const TIME_TO_PAY = 5 * MINUTE;
/** How long after its end such a code's reminder makes the next one. */
const AFTER_END = 5 * SECOND;
/** Longer than a charge check and the creation of a code take. */
const LEASE = 3 * MINUTE;

/** A leased reminder: `number` is 1, 2 or 3; `since`: when the order's first PIX was created. */
export type ScheduledReminder = Pick<
  typeof reminders.$inferSelect,
  "saleId" | "number" | "since" | "requestId"
>;

/** Reminds buyers of unpaid orders. */
export const reminderQueue = defineQueue<ScheduledReminder>({
  name: REMINDERS,
  concurrency: 4,
  pollInterval: 15 * SECOND,
  claim: claimReminders,
  async handle(reminder) {
    try {
      await remindBuyer(reminder);
    } catch (error) {
      await postponeReminder(db, reminder, RETRY_DELAY);
      throw error;
    }
  },
  logIds: ({ saleId, number }) => ({ saleId, number }),
  requestIdOf: ({ requestId }) => requestId,
});

/** Leases scheduled reminders, the oldest first. */
export async function claimReminders(max: number): Promise<ScheduledReminder[]> {
  return db
    .update(reminders)
    .set({ scheduledAt: sql`now() + make_interval(secs => ${LEASE / SECOND})` })
    .where(
      sql`${reminders.saleId} = any(array(select sale_id from reminders where scheduled_at <= ${nowRoundedUp}
        order by scheduled_at limit ${max} for update skip locked))`,
    )
    .returning();
}

/**
 * Reminds a buyer of an unpaid order, with a PIX that can be paid when the mail arrives, and schedules the next reminder.
 * Paying, opting out, and the seller switching reminders off end the series. A repeated run has no effect: the mail has an
 * idempotency key, and the row its number.
 */
export async function remindBuyer(reminder: Omit<ScheduledReminder, "requestId">): Promise<void> {
  const { saleId, number } = reminder;
  const end = () => endReminders(db, reminder);
  const remindable = await mayRemind(saleId);
  if (remindable === "no") return end();
  const sale = await readSaleContacts(db, saleId);
  const recipient = sale?.customerEmail;
  if (sale?.status !== "pending" || !recipient) return end();
  const minutes = (await findReminderTimes(sale.sellerId))[number - 1];
  if (minutes === undefined) return end();
  const wait = () => waitOrEnd(reminder, minutes * MINUTE);
  // A buyer who has paid must not be reminded: check the charges first, and wait for the confirmation of announced
  // payments, and for an answer.
  const { summary, isUncertain } = await checkPendingCharges(saleId);
  if (summary.apiStatus === "completed" || summary.buyer === "mispaid") return end();
  if (isUncertain || remindable === "later" || BEING_CONFIRMED.includes(summary.buyer)) return wait();
  // Not a second code beside it: both could be paid.
  const left = await findTimeLeft(sale.sellerId, saleId);
  if (left !== null && left < TIME_TO_PAY) return postponeReminder(db, reminder, left + AFTER_END);
  const pix = await payablePix(saleId);
  if (pix === "later") return wait();
  if (!pix) return end();
  await db.transaction(async (tx) => {
    // The provider may have taken seconds to answer.
    if (await hasStoppedReminders(tx, sale.sellerId, recipient)) return endReminders(tx, reminder);
    await queueMail(tx, {
      kind: "reminder",
      idempotencyKey: `reminder/${saleId}/${number}`,
      recipient,
      sellerId: sale.sellerId,
      saleId,
      data: { ...pix, number },
    });
    await scheduleNextReminder(tx, reminder, sale.sellerId);
  });
}

/**
 * Postpones a reminder by the order's age, or ends the series where that has lasted too long.
 * @param dueAge the order's age when the reminder was due
 */
async function waitOrEnd(reminder: Omit<ScheduledReminder, "requestId">, dueAge: number): Promise<void> {
  const age = Date.now() - reminder.since.getTime();
  if (age - dueAge > MAX_CONFIRMATION_WAIT) return endReminders(db, reminder);
  await postponeReminder(db, reminder, Math.min(Math.max(age, RECHECK_DELAY.min), RECHECK_DELAY.max));
}

/** How long (ms) the order's code can still be paid; null where it has none. */
async function findTimeLeft(sellerId: string, saleId: string): Promise<number | null> {
  const [charge] = await db
    .select({
      left: sql<number>`ceil(extract(epoch from ${charges.expiresAt} - now()) * 1000)::float8`,
    })
    .from(charges)
    .where(and(ownOfSale(charges, sellerId, saleId), eq(charges.method, "pix"), isPayable))
    .orderBy(desc(charges.createdAt))
    .limit(1);
  return charge?.left ?? null;
}

/** The order's PIX, a new one where the old one expired; `later`: none could be created now; null: none can be created. */
async function payablePix(saleId: string): Promise<PendingPix | "later" | null> {
  try {
    await startPix(saleId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The rules of an order are for its seller to change; too many failed codes are over in minutes.
    const isLater =
      error.kind === "too-many" || (error.kind === "unavailable" && !(error instanceof OrderRefusal));
    log.info({ saleId, refusal: error.message, isLater }, "no reminder: no PIX can be created");
    return isLater ? "later" : null;
  }
  const charge = (await showPix(saleId))?.charge;
  if (charge?.status !== "open" || !charge.pixCode) return null;
  const { pixCode, expiresAt, warning: notice } = charge;
  return { pixCode, expiresAt: expiresAt?.toISOString() ?? null, notice };
}
