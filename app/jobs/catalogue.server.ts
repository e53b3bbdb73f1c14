import { mailByPlatform } from "#app/domain/access/mail-by-platform.server.ts";
import { cleanFiles } from "#app/domain/content/clean-files.server.ts";
import {
  claimDeliveries,
  type DeliveryWithDestination,
} from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { sendDelivery } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { wakeMissed } from "#app/domain/delivery/waiting.server.ts";
import { anonymizeClosedAccounts } from "#app/domain/erasure/anonymize-closed-accounts.server.ts";
import { anonymizeUnpaidOrders } from "#app/domain/erasure/anonymize-unpaid-orders.server.ts";
import { erasureQueue } from "#app/domain/erasure/erase-buyer.server.ts";
import { mailClosing } from "#app/domain/erasure/mail-closing.server.ts";
import { mailReopening } from "#app/domain/erasure/mail-reopening.server.ts";
import { withdrawPublicKeys } from "#app/domain/gateway/withdraw-public-keys.server.ts";
import { connectResend } from "#app/domain/mail/resend/connect-resend.server.ts";
import { MAX_CLAIMED_MAILS } from "#app/domain/mail/sending/account-concurrency.ts";
import { type ClaimedMail, claimMails } from "#app/domain/mail/sending/claim-mails.server.ts";
import { sendMail } from "#app/domain/mail/sending/send-mail.server.ts";
import { checkDomain } from "#app/domain/mail/sending-domain/check-domain.server.ts";
import { cleanUp } from "#app/domain/maintenance/clean-up.server.ts";
import { reseal } from "#app/domain/maintenance/reseal.server.ts";
import { pictureQueue } from "#app/domain/picture/prepare-picture.server.ts";
import { closeOrders } from "#app/domain/pix/close-orders.server.ts";
import { webhookTestQueue } from "#app/domain/pix/run-webhook-test.server.ts";
import { testSpares } from "#app/domain/pix/test-spares.server.ts";
import { addStatements } from "#app/domain/reconciliation/statement/add-statements.server.ts";
import { statementQueue } from "#app/domain/reconciliation/statement/statement-queue.server.ts";
import { attemptRefunds } from "#app/domain/refund/request/attempt-refund.server.ts";
import { sendAutomaticRefunds } from "#app/domain/refund/send-automatic-refunds.server.ts";
import { reminderQueue } from "#app/domain/reminder/remind-buyer.server.ts";
import { refreshReports } from "#app/domain/reports/figures/refresh-reports.server.ts";
import { mailDigest, mailDigests } from "#app/domain/sale/mails/mail-digests.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { recordNotified } from "#app/domain/sale/payment-latency.server.ts";
import { chargeCheckQueue } from "#app/domain/settlement/charge-check-queue.server.ts";
import { lookUpDispute } from "#app/domain/settlement/look-up-dispute.server.ts";
import { pacedCheckQueue } from "#app/domain/settlement/paced-check-queue.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { stampedCopyQueue } from "#app/domain/stamped-copy/make-stamped-copy.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { type AnyQueue, defineQueue } from "#app/queue/define-queue.server.ts";
import type { AnyJob } from "#app/queue/job.server.ts";
import { DELIVERIES, MAILS } from "#app/queue/names.ts";

/** Every kind of job. */
export const jobs: AnyJob[] = [
  connectResend,
  checkDomain,
  mailByPlatform,
  sweepCharges,
  wakeMissed,
  lookUpDispute,
  closeOrders,
  attemptRefunds,
  sendAutomaticRefunds,
  testSpares,
  withdrawPublicKeys,
  addStatements,
  mailDigests,
  mailDigest,
  refreshReports,
  cleanUp,
  cleanFiles,
  anonymizeUnpaidOrders,
  anonymizeClosedAccounts,
  mailClosing,
  mailReopening,
  reseal,
];

/** Sends deliveries. Joins the delivery folder, which does not depend on sales, with the function that reads a sale. */
export const deliveryQueue = defineQueue<DeliveryWithDestination>({
  name: DELIVERIES,
  concurrency: 40,
  pollInterval: SECOND,
  // Not noticeable, and deliveries of several purchases share their statements.
  batchDelay: 50,
  claim: claimDeliveries,
  handle: async (claimed) => ((await sendDelivery(claimed, readNotification)) ? 0 : undefined),
  logIds: (claimed) => ({ deliveryId: claimed.delivery.id, destinationId: claimed.destination.id }),
  requestIdOf: (claimed) => claimed.delivery.requestId,
});

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

/** Every queue. */
export const queues: AnyQueue[] = [
  chargeCheckQueue,
  pacedCheckQueue,
  statementQueue,
  mailQueue,
  reminderQueue,
  deliveryQueue,
  pictureQueue,
  stampedCopyQueue,
  webhookTestQueue,
  erasureQueue,
];
