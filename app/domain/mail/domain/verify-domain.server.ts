import { and, eq, isNotNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { emailDomains } from "#app/db/schema/mail-settings.server.ts";
import { SendError } from "#app/domain/mail/message/port.ts";
import { askResend } from "#app/domain/mail/resend/ask-resend.server.ts";
import { explainRefusal } from "#app/domain/mail/resend/explain-refusal.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { CHECK_DOMAIN } from "#app/queue/names.ts";

/**
 * Asks Resend to look for the records now; a job then asks how it went until it is decided.
 * @throws Refusal not-found where there is no domain at Resend; unavailable or invalid with what Resend said
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
    await askResend(apiKey, (resend) => resend.domains.verify(providerId));
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    throw new Refusal(error.passes ? "unavailable" : "invalid", explainRefusal(error.message));
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
