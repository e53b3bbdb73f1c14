import { mailByPlatform } from "#app/domain/access/mail-by-platform.server.ts";
import { cleanFiles } from "#app/domain/content/clean-files.server.ts";
import { wakeMissed } from "#app/domain/delivery/waiting.server.ts";
import { anonymizeClosedAccounts } from "#app/domain/erasure/anonymize-closed-accounts.server.ts";
import { anonymizeUnpaidOrders } from "#app/domain/erasure/anonymize-unpaid-orders.server.ts";
import { erasureQueue } from "#app/domain/erasure/erase-buyer.server.ts";
import { mailClosing } from "#app/domain/erasure/mail-closing.server.ts";
import { mailReopening } from "#app/domain/erasure/mail-reopening.server.ts";
import { withdrawPublicKeys } from "#app/domain/gateway/withdraw-public-keys.server.ts";
import { connectResend } from "#app/domain/mail/resend/connect-resend.server.ts";
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
import { chargeCheckQueue } from "#app/domain/settlement/charge-check-queue.server.ts";
import { lookUpDispute } from "#app/domain/settlement/look-up-dispute.server.ts";
import { pacedCheckQueue } from "#app/domain/settlement/paced-check-queue.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { stampedCopyQueue } from "#app/domain/stamped-copy/make-stamped-copy.server.ts";
import { deliveryQueue } from "#app/jobs/delivery-queue.server.ts";
import { mailQueue } from "#app/jobs/mail-queue.server.ts";
import type { AnyQueue } from "#app/queue/define-queue.server.ts";
import type { AnyJob } from "#app/queue/job.server.ts";

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
