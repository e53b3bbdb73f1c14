import { sendMail as send } from "#app/domain/mail/outbox/send-mail.server.ts";
import { drawMail } from "#app/domain/sale/notices/draw-mail.server.ts";
import { countTold } from "#app/domain/sale/payment-times.server.ts";
import { defineJob } from "#app/queue/job.server.ts";
import { SEND_MAIL } from "#app/queue/names.ts";

/** Sends one queued mail. Here the mails, which know no sale, meet what draws the ones about sales. */
export const sendMail = defineJob<{ mailId: string }>(
  SEND_MAIL.name,
  async ({ mailId }, attempt) => {
    const sent = await send(mailId, attempt, drawMail);
    // It was queued by the transaction that booked the payment.
    if (sent?.kind === "purchase" || sent?.kind === "upsell") countTold("mail", sent.createdAt);
  },
  SEND_MAIL,
);
