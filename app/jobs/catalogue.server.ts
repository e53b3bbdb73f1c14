import { cleanFiles } from "#app/domain/content/clean-files.server.ts";
import { emptyClosed } from "#app/domain/erasure/empty-closed.server.ts";
import { emptyUnpaid } from "#app/domain/erasure/empty-unpaid.server.ts";
import { erasing } from "#app/domain/erasure/erase-buyer.server.ts";
import { checkDomain } from "#app/domain/mail/domain/check-domain.server.ts";
import { connectResend } from "#app/domain/mail/resend/connect-resend.server.ts";
import { preparing } from "#app/domain/picture/prepare-picture.server.ts";
import { closeOrders } from "#app/domain/pix/close-orders.server.ts";
import { tryRefunds } from "#app/domain/refund/asked/try-refund.server.ts";
import { reminding } from "#app/domain/reminder/remind-buyer.server.ts";
import { refreshReports } from "#app/domain/reports/figures/refresh-reports.server.ts";
import { mailDigest, mailDigests } from "#app/domain/sale/notices/mail-digests.server.ts";
import { pacedChecking } from "#app/domain/settlement/check-at-pace.server.ts";
import { checks } from "#app/domain/settlement/check-charge.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { stamping } from "#app/domain/stamp/make-stamp.server.ts";
import { cleanUp } from "#app/jobs/clean-up.server.ts";
import { reseal } from "#app/jobs/reseal.server.ts";
import { mails } from "#app/jobs/send-mail.server.ts";
import { news } from "#app/jobs/tell-news.server.ts";
import type { AnyJob } from "#app/queue/job.server.ts";
import type { AnyPump } from "#app/queue/pump.server.ts";

/** Every kind of job a worker does. */
export const jobs: AnyJob[] = [
  connectResend,
  checkDomain,
  sweepCharges,
  closeOrders,
  tryRefunds,
  mailDigests,
  mailDigest,
  refreshReports,
  cleanUp,
  cleanFiles,
  emptyUnpaid,
  emptyClosed,
  reseal,
];

/** Work whose rows are their own queue. */
export const pumps: AnyPump[] = [checks, pacedChecking, mails, reminding, news, preparing, stamping, erasing];
