import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { findReminders } from "#app/domain/mail/find-reminders.server.ts";
import { queueMail } from "#app/domain/mail/queue-mail.server.ts";
import { REMIND_BUYER } from "#app/domain/payments/remind-buyer-name.ts";
import { scheduleReminder } from "#app/domain/payments/schedule-reminder.server.ts";
import { showPix } from "#app/domain/payments/show-pix.server.ts";
import { startPix } from "#app/domain/payments/start-pix.server.ts";
import { mayMailUnpaid } from "#app/domain/sales/may-mail-unpaid.server.ts";
import { mayRemind } from "#app/domain/sales/may-remind.server.ts";
import { type PixMailWords, pixMail } from "#app/domain/sales/pix-mail.server.ts";
import { readMailedSale } from "#app/domain/sales/read-mailed-sale.server.ts";
import { stopRemindersUrl } from "#app/domain/sales/reminder-link.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob } from "#app/queue/job.server.ts";

/**
 * Reminds a buyer of an unpaid order, with a PIX that can be paid when the mail arrives, and sets the next reminder.
 * Paying, opting out, and the seller switching reminders off end it.
 */
export const remindBuyer = defineJob<{ saleId: string; number: number; since: number }>(
  REMIND_BUYER.name,
  async ({ saleId, number, since }) => {
    if (!(await mayRemind(saleId))) return;
    const sale = await readMailedSale(db, and(eq(sales.id, saleId), eq(sales.status, "pending")));
    if (!sale || (await findReminders(sale.sellerId)).length < number) return;
    const pix = await payablePix(saleId);
    if (!pix) return;
    const stop = stopRemindersUrl(saleId);
    const mail = pixMail(sale, pix, wordsOf(number, sale.lines[0]?.name ?? "seu pedido", stop));
    await db.transaction(async (tx) => {
      const mayMail = await mayMailUnpaid(tx, sale.customerEmail);
      if (mayMail)
        await queueMail(tx, {
          kind: "reminder",
          idempotencyKey: `reminder/${saleId}/${number}`,
          recipient: sale.customerEmail,
          sellerId: sale.sellerId,
          saleId,
          mail: {
            ...mail,
            headers: {
              "List-Unsubscribe": `<${stop}>`,
              "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            },
          },
        });
      const next = { saleId, sellerId: sale.sellerId, number: number + 1, since: new Date(since) };
      await scheduleReminder(tx, next);
    });
  },
  REMIND_BUYER,
);

/** The order's PIX, a new one where the old one's time is over; null where the seller takes no payments now. */
async function payablePix(saleId: string) {
  try {
    await startPix(saleId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    log.info({ saleId, refusal: error.message }, "no reminder: no PIX can be made");
    return null;
  }
  const charge = (await showPix(saleId))?.charge;
  if (charge?.status !== "open" || !charge.pixCode) return null;
  return { pixCode: charge.pixCode, expiresAt: charge.expiresAt, notice: charge.notice };
}

function wordsOf(number: number, product: string, stop: string): PixMailWords {
  const name = `<strong>${escapeHtml(product)}</strong>`;
  const words = [
    {
      subject: `Seu pedido de ${product} ainda está aqui`,
      title: "Seu PIX ainda não foi pago",
      lead: `O seu pedido de ${name} continua reservado. É só pagar o PIX para receber o acesso.`,
    },
    {
      subject: `Ainda dá tempo: ${product}`,
      title: "Seu pedido espera por você",
      lead: `Você pediu ${name} e o PIX ainda não foi pago. Geramos um código válido para você concluir agora.`,
    },
    {
      subject: `Último lembrete: ${product}`,
      title: "Este é o último lembrete",
      lead: `O seu pedido de ${name} ainda pode ser concluído. Depois deste e-mail não escrevemos mais sobre ele.`,
    },
  ];
  return {
    ...words[Math.min(number, words.length) - 1]!,
    footerHtml: `<p style="margin:0 0 8px;">Não quer mais lembretes? <a href="${escapeHtml(stop)}" style="color:inherit;">Parar de receber lembretes</a></p>`,
  };
}
