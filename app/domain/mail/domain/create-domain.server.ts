import { db } from "#app/db/client.server.ts";
import { emailDomains } from "#app/db/schema/mail-settings.server.ts";
import { domainColumns, type ResendDomain } from "#app/domain/mail/domain/domain-columns.ts";
import { SendError } from "#app/domain/mail/message/port.ts";
import { queueSecurityNotice } from "#app/domain/mail/queue/queue-security-notice.server.ts";
import { askResend } from "#app/domain/mail/resend/ask-resend.server.ts";
import { explainRefusal } from "#app/domain/mail/resend/explain-refusal.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import type { Origin } from "#app/kit/device.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Creates a seller's domain at Resend, near their buyers, and keeps the records as returned. A domain that their account
 * has already is taken up as it stands. The seller is told.
 * @throws Refusal invalid without a key; invalid or unavailable with what Resend said, in Portuguese
 */
export async function createDomain(sellerId: string, name: string, from?: Origin): Promise<void> {
  const apiKey = await findResendKey(sellerId);
  if (!apiKey) throw new Refusal("invalid", "Salve primeiro a sua chave do Resend.", "domain_name");
  const domain = await create(apiKey, name).catch((error: unknown) => {
    throw error instanceof SendError
      ? new Refusal(error.passes ? "unavailable" : "invalid", explainRefusal(error.message), "domain_name")
      : error;
  });
  const columns = { domainName: name, ...domainColumns(domain, new Date()), verifyingSince: null };
  await db.transaction(async (tx) => {
    await tx
      .insert(emailDomains)
      .values({ sellerId, ...columns })
      .onConflictDoUpdate({ target: emailDomains.sellerId, set: columns });
    await queueSecurityNotice(tx, sellerId, { change: "mail-domain", from });
  });
}

async function create(apiKey: string, name: string): Promise<ResendDomain> {
  const listed = await askResend(apiKey, (resend) => resend.domains.list());
  const before = listed.data.find((domain) => domain.name === name);
  if (before) return askResend(apiKey, (resend) => resend.domains.get(before.id));
  return askResend(apiKey, (resend) => resend.domains.create({ name, region: "sa-east-1" }));
}
