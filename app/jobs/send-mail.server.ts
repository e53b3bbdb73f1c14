import { claimMails, type TakenMail } from "#app/domain/mail/outbox/claim-mails.server.ts";
import { PLACES } from "#app/domain/mail/outbox/places.ts";
import { sendMail } from "#app/domain/mail/outbox/send-mail.server.ts";
import { drawMail } from "#app/domain/sale/notices/draw-mail.server.ts";
import { countTold } from "#app/domain/sale/payment-times.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { MAILS } from "#app/queue/names.ts";
import { definePump } from "#app/queue/pump.server.ts";

/** Sends mails that are due. Here the mails, which know no sale, meet what draws the ones about sales. */
export const mails = definePump<TakenMail>({
  name: MAILS,
  atOnce: PLACES,
  every: SECOND,
  // Nobody notices, and mails of a rush share their statements.
  gather: 50,
  claim: claimMails,
  async handle(taken) {
    const result = await sendMail(taken, drawMail);
    if (!result) return;
    if ("againIn" in result) return result.againIn;
    // It was queued by the transaction that booked the payment.
    if (result.kind === "purchase" || result.kind === "upsell") countTold("mail", result.createdAt);
  },
  about: ({ id }) => ({ mailId: id }),
  request: ({ requestId }) => requestId,
});
