import { MAX_CLAIMED_MAILS } from "#app/domain/mail/sending/account-concurrency.ts";
import { type ClaimedMail, claimMails } from "#app/domain/mail/sending/claim-mails.server.ts";
import { sendMail } from "#app/domain/mail/sending/send-mail.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { recordNotified } from "#app/domain/sale/payment-latency.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { defineQueue } from "#app/queue/define-queue.server.ts";
import { MAILS } from "#app/queue/names.ts";

/**
 * Sends due mails. Joins the mail folder, which does not depend on sales, with the function that renders mails about them.
 */
export const mailQueue = defineQueue<ClaimedMail>({
  name: MAILS,
  concurrency: MAX_CLAIMED_MAILS,
  pollInterval: SECOND,
  // Not noticeable, and mails of a rush share their statements.
  batchDelay: 50,
  claim: claimMails,
  async handle(claimed) {
    const sent = await sendMail(claimed, renderMail);
    if (!sent) return;
    if ("dueInMs" in sent) return sent.dueInMs;
    // Its row in the log was written with the booking, so its age is how long the buyer waited, also where it was sent again by
    // command. A free order books no payment.
    const isOfPayment = sent.kind === "purchase" || sent.kind === "upsell";
    if (isOfPayment && !("isFree" in (sent.data ?? {}))) recordNotified("mail", sent.loggedAt);
  },
  logIds: ({ id }) => ({ mailId: id }),
  requestIdOf: ({ requestId }) => requestId,
});
