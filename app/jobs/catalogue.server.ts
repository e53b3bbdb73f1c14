import { forgetExpired } from "#app/domain/identity/forget-expired.server.ts";
import { sendMail } from "#app/domain/mail/send-mail.server.ts";
import { checkCharge } from "#app/domain/payments/check-charge.server.ts";
import { sweepCharges } from "#app/domain/payments/sweep-charges.server.ts";
import { sendOrder } from "#app/domain/tracking/send-order.server.ts";
import type { AnyJob } from "#app/queue/job.server.ts";

/** Every kind of job a worker does. */
export const jobs: AnyJob[] = [forgetExpired, sendMail, checkCharge, sweepCharges, sendOrder];
