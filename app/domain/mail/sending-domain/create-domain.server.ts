import { emailDomains } from "#app/db/schema/mail-settings.server.ts";
import { rejectStale, withSellerLock } from "#app/db/version.server.ts";
import { SendError } from "#app/domain/mail/message/mail-carrier.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import { callResend } from "#app/domain/mail/resend/call-resend.server.ts";
import { explainResendError } from "#app/domain/mail/resend/explain-resend-error.ts";
import { findInPages } from "#app/domain/mail/resend/find-in-pages.server.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { type ResendDomain, toDomainColumns } from "#app/domain/mail/sending-domain/domain-columns.ts";
import { findDomain } from "#app/domain/mail/sending-domain/find-domain.server.ts";
import { domainVersion } from "#app/domain/mail/sending-domain/save-domain.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { CHECK_DOMAIN } from "#app/queue/names.ts";

/**
 * Creates a seller's domain at Resend, in the region nearest their buyers, and stores the records as returned. A domain that
 * exists in their account is used as it is. Mails the seller.
 * @throws Refusal invalid without a key; invalid or unavailable with Resend's reason, in Portuguese; conflict where it was
 * saved since `version`, or the key was replaced meanwhile
 */
export async function createDomain(
  sellerId: string,
  name: string,
  origin?: RequestOrigin,
  version?: string,
): Promise<void> {
  // Also before the call, so that a stale request creates nothing at Resend.
  rejectStale(version, domainVersion(await findDomain(sellerId)));
  const apiKey = await findResendKey(sellerId);
  if (!apiKey) throw new Refusal("invalid", "Salve primeiro a sua chave do Resend.", "domain_name");
  const domain = await findOrCreateDomain(apiKey, name).catch((error: unknown) => {
    throw error instanceof SendError
      ? new Refusal(
          error.isRetryable ? "unavailable" : "invalid",
          explainResendError(error.message),
          "domain_name",
        )
      : error;
  });
  await withSellerLock(sellerId, async (tx) => {
    // Another key may be of another account, which does not have this domain.
    if ((await findResendKey(sellerId, tx)) !== apiKey)
      throw new Refusal(
        "conflict",
        "A chave do Resend mudou enquanto o domínio era criado. Crie-o de novo.",
        "domain_name",
      );
    const saved = await findDomain(sellerId, tx);
    rejectStale(version, domainVersion(saved));
    const now = new Date();
    const known = toDomainColumns(domain, now);
    // Its account may be verifying it already, since it was connected before.
    const isVerifying = known.status === "pending";
    const columns = {
      domainName: name,
      ...known,
      verifyingSince: isVerifying ? now : null,
      // Resend asks for none: what is stored was typed, and belongs to the previous domain.
      ...(saved?.domainName === name ? {} : { dmarcRecord: "" }),
    };
    await tx
      .insert(emailDomains)
      .values({ sellerId, ...columns })
      .onConflictDoUpdate({ target: emailDomains.sellerId, set: columns });
    if (isVerifying) await enqueue(tx, CHECK_DOMAIN, { sellerId }, { key: sellerId });
    await queueSecurityMail(tx, sellerId, { change: "mail-domain", origin });
  });
}

async function findOrCreateDomain(apiKey: string, name: string): Promise<ResendDomain> {
  const existing = await findInPages(
    (page) => callResend(apiKey, (resend) => resend.domains.list(page)),
    (domain) => domain.name === name,
  );
  if (existing) return callResend(apiKey, (resend) => resend.domains.get(existing.id));
  return callResend(apiKey, (resend) => resend.domains.create({ name, region: "sa-east-1" }));
}
