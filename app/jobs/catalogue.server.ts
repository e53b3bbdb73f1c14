import { checkDomain } from "#app/domain/mail/domain/check-domain.server.ts";
import { sweepMails } from "#app/domain/mail/outbox/sweep-mails.server.ts";
import { connectResend } from "#app/domain/mail/resend/connect-resend.server.ts";
import { announcePix } from "#app/domain/pix/announce-pix.server.ts";
import { closeOrders } from "#app/domain/pix/close-orders.server.ts";
import { remindBuyer } from "#app/domain/reminder/remind-buyer.server.ts";
import { refreshReports } from "#app/domain/reports/figures/refresh-reports.server.ts";
import { mailDigest, mailDigests } from "#app/domain/sale/notices/mail-digests.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { sendOrder } from "#app/domain/tracking/send-order.server.ts";
import { cleanUp } from "#app/jobs/clean-up.server.ts";
import { reseal } from "#app/jobs/reseal.server.ts";
import { sendMail } from "#app/jobs/send-mail.server.ts";
import { tellNews } from "#app/jobs/tell-news.server.ts";
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
  tellNews,
  refreshReports,
  cleanUp,
  reseal,
];
