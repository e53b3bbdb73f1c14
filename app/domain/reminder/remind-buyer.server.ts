import { db } from "#app/db/client.server.ts";
import type { WaitingPix } from "#app/db/schema/mails.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { showPix } from "#app/domain/pix/show-pix.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { mayRemind } from "#app/domain/reminder/may-remind.server.ts";
import { findReminders } from "#app/domain/reminder/schedule/find-reminders.server.ts";
import { scheduleReminder } from "#app/domain/reminder/schedule/schedule-reminder.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { askAboutSale } from "#app/domain/settlement/check-pix.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob, enqueue } from "#app/queue/job.server.ts";
import { REMIND_BUYER } from "#app/queue/names.ts";

const ASK_AGAIN_AFTER = 2 * MINUTE;

/**
 * Reminds a buyer of an unpaid order, with a PIX that can be paid when the mail arrives, and sets the next reminder.
 * Paying, opting out, and the seller switching reminders off end it.
 */
export const remindBuyer = defineJob<{ saleId: string; number: number; since: number }>(
  REMIND_BUYER.name,
  async ({ saleId, number, since }) => {
    if (!(await mayRemind(saleId))) return;
    const sale = await readSaleContacts(db, saleId);
    const recipient = sale?.customerEmail;
    if (sale?.status !== "pending" || !recipient) return;
    if ((await findReminders(sale.sellerId)).length < number) return;
    // Before a buyer is told that they have not paid, the provider is asked; news of a payment is waited for.
    const now = await askAboutSale(saleId);
    if (now.api === "completed" || now.buyer === "mispaid") return;
    if (now.buyer === "announced") {
      const when = new Date(Date.now() + ASK_AGAIN_AFTER);
      return enqueue(db, REMIND_BUYER, { saleId, number, since }, { key: `${saleId}:${number}`, when });
    }
    const pix = await payablePix(saleId);
    if (!pix) return;
    await db.transaction(async (tx) => {
      await queueMail(tx, {
        kind: "reminder",
        idempotencyKey: `reminder/${saleId}/${number}`,
        recipient,
        sellerId: sale.sellerId,
        saleId,
        facts: { ...pix, number },
      });
      const next = { saleId, sellerId: sale.sellerId, number: number + 1, since: new Date(since) };
      await scheduleReminder(tx, next);
    });
  },
  REMIND_BUYER,
);

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
