import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { emailDomains } from "#app/db/schema/mail-settings.server.ts";
import { SendError } from "#app/domain/mail/message/mail-carrier.ts";
import { callResend } from "#app/domain/mail/resend/call-resend.server.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { type ResendDomain, toDomainColumns } from "#app/domain/mail/sending-domain/domain-columns.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob, enqueue } from "#app/queue/job.server.ts";
import { CHECK_DOMAIN } from "#app/queue/names.ts";

/** For how long Resend checks the records. */
const VERIFICATION_WINDOW = 3 * DAY;

/**
 * Fetches a domain's status from Resend, and repeats while it is pending: often at first, hourly in the end. It repeats while
 * Resend is away, too: the attempts of one job would end within half an hour.
 */
export const checkDomain = defineJob<{ sellerId: string }>(
  CHECK_DOMAIN.name,
  async ({ sellerId }) => {
    const [row] = await db.select().from(emailDomains).where(eq(emailDomains.sellerId, sellerId));
    const apiKey = await findResendKey(sellerId);
    if (!row?.providerId || !apiKey) return;
    const { providerId } = row;
    const age = Date.now() - (row.verifyingSince?.getTime() ?? 0);
    const isVerifying = age <= VERIFICATION_WINDOW;
    const checkAgain = () =>
      enqueue(
        db,
        CHECK_DOMAIN,
        { sellerId },
        { key: sellerId, when: new Date(Date.now() + recheckDelay(age)) },
      );
    let domain: ResendDomain;
    try {
      domain = await callResend(apiKey, (resend) => resend.domains.get(providerId));
    } catch (error) {
      if (!(error instanceof SendError) || (error.isRetryable && !isVerifying)) throw error;
      log.warn({ sellerId, error: error.message }, "domain not checked");
      // A key that was revoked or a domain that was deleted at Resend is their seller's to mend, and no failed job.
      if (!error.isRetryable) return;
      return checkAgain();
    }
    const columns = toDomainColumns(domain, new Date());
    await db
      .update(emailDomains)
      .set({ ...columns, verifiedAt: columns.verifiedAt && (row.verifiedAt ?? columns.verifiedAt) })
      .where(and(eq(emailDomains.sellerId, sellerId), eq(emailDomains.providerId, providerId)));
    const { status } = columns;
    if (status !== domain.status) log.warn({ sellerId, status: domain.status }, "unknown status of a domain");
    if (status !== row.status) log.info({ sellerId, status }, "domain checked");
    if (status === "pending" && isVerifying) await checkAgain();
  },
  CHECK_DOMAIN,
);

function recheckDelay(age: number): number {
  if (age < 2 * MINUTE) return 5 * SECOND;
  if (age < HOUR) return MINUTE;
  return age < 6 * HOUR ? 10 * MINUTE : HOUR;
}
