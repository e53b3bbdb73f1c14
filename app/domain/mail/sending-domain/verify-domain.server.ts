import { and, eq, isNotNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { emailDomains } from "#app/db/schema/mail-settings.server.ts";
import { SendError } from "#app/domain/mail/message/mail-carrier.ts";
import { callResend } from "#app/domain/mail/resend/call-resend.server.ts";
import { explainResendError } from "#app/domain/mail/resend/explain-resend-error.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { CHECK_DOMAIN } from "#app/queue/names.ts";

/**
 * Starts Resend's check of the records; a job then polls its status until it is decided.
 * @throws Refusal not-found where there is no domain at Resend; unavailable or invalid with Resend's reason
 */
export async function verifyDomain(sellerId: string): Promise<void> {
  const apiKey = await findResendKey(sellerId);
  const [domain] = await db
    .select({ providerId: emailDomains.providerId, status: emailDomains.status })
    .from(emailDomains)
    .where(and(eq(emailDomains.sellerId, sellerId), isNotNull(emailDomains.providerId)));
  if (!apiKey || !domain?.providerId) throw new Refusal("not-found", "Crie primeiro o domínio no Resend.");
  const { providerId } = domain;
  try {
    await callResend(apiKey, (resend) => resend.domains.verify(providerId));
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    throw new Refusal(error.isRetryable ? "unavailable" : "invalid", explainResendError(error.message));
  }
  await db.transaction(async (tx) => {
    await tx
      .update(emailDomains)
      .set({
        verifyingSince: new Date(),
        ...(domain.status === "verified" ? {} : { status: "pending" as const }),
      })
      .where(and(eq(emailDomains.sellerId, sellerId), eq(emailDomains.providerId, providerId)));
    await enqueue(tx, CHECK_DOMAIN, { sellerId }, { key: sellerId, when: new Date(Date.now() + 3 * SECOND) });
  });
}
