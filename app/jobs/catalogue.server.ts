import { checkDomain } from "#app/domain/mail/check-domain.server.ts";
import { connectResend } from "#app/domain/mail/connect-resend.server.ts";
import { sweepMails } from "#app/domain/mail/sweep-mails.server.ts";
import { announcePix } from "#app/domain/payments/announce-pix.server.ts";
import { checkCharge } from "#app/domain/payments/check-charge.server.ts";
import { closeOrders } from "#app/domain/payments/close-orders.server.ts";
import { remindBuyer } from "#app/domain/payments/remind-buyer.server.ts";
import { sweepCharges } from "#app/domain/payments/sweep-charges.server.ts";
import { refreshReports } from "#app/domain/reports/refresh-reports.server.ts";
import { mailDigest, mailDigests } from "#app/domain/sales/mail-digests.server.ts";
import { sendOrder } from "#app/domain/tracking/send-order.server.ts";
import { cleanUp } from "#app/jobs/clean-up.server.ts";
import { sendMail } from "#app/jobs/send-mail.server.ts";
import type { AnyJob } from "#app/queue/job.server.ts";

/** Every kind of job a worker does. */
export const jobs: AnyJob[] = [
  sendMail,
  sweepMails,
  connectResend,
  checkDomain,
  checkCharge,
  sweepCharges,
  closeOrders,
  announcePix,
  remindBuyer,
  mailDigests,
  mailDigest,
  sendOrder,
  refreshReports,
  cleanUp,
];
