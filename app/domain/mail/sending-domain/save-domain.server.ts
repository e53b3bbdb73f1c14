import { eq } from "drizzle-orm";
import { emailDomains } from "#app/db/schema/mail-settings.server.ts";
import { rejectStale, versionOf, withSellerLock } from "#app/db/version.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import type { DomainBody } from "#app/domain/mail/sending-domain/domain-form.server.ts";
import type { DomainView } from "#app/domain/mail/sending-domain/domain-view.ts";
import { findDomain } from "#app/domain/mail/sending-domain/find-domain.server.ts";
import { mergeDomain } from "#app/domain/mail/sending-domain/merge-domain.ts";
import type { RequestOrigin } from "#app/kit/device.ts";

/**
 * Saves a domain and its records as entered by hand. Only Resend decides whether a domain that it knows is verified;
 * entering another domain leaves the one at Resend. Mails the seller, except when only records change.
 * @throws Refusal conflict where it was saved since `version`
 */
export async function saveDomain(
  sellerId: string,
  entered: DomainBody,
  origin?: RequestOrigin,
  version?: string,
): Promise<void> {
  await withSellerLock(sellerId, async (tx) => {
    const [current] = await tx
      .select()
      .from(emailDomains)
      .where(eq(emailDomains.sellerId, sellerId))
      .for("update");
    const saved = await findDomain(sellerId, tx);
    rejectStale(version, domainVersion(saved));
    const fields = mergeDomain(saved, entered);
    const records = {
      spfRecord: fields.spf_record,
      dkimRecord: fields.dkim_record,
      dmarcRecord: fields.dmarc_record,
      updatedAt: new Date(),
    };
    if (current?.providerId && current.domainName === fields.domain_name) {
      await tx.update(emailDomains).set(records).where(eq(emailDomains.sellerId, sellerId));
      return;
    }
    const manualColumns = {
      ...records,
      domainName: fields.domain_name,
      status: "manual" as const,
      verifiedAt: fields.is_verified ? new Date() : null,
      providerId: null,
      verifyingSince: null,
      records: [],
    };
    await tx
      .insert(emailDomains)
      .values({ sellerId, ...manualColumns })
      .onConflictDoUpdate({ target: emailDomains.sellerId, set: manualColumns });
    await queueSecurityMail(tx, sellerId, { change: "mail-domain", origin });
  });
}

/**
 * Removes a seller's domain here; at Resend it stays. From now on the platform sends the mails. Mails the seller.
 * @throws Refusal conflict where it was saved since `version`
 */
export async function removeDomain(
  sellerId: string,
  origin?: RequestOrigin,
  version?: string,
): Promise<void> {
  await withSellerLock(sellerId, async (tx) => {
    rejectStale(version, domainVersion(await findDomain(sellerId, tx)));
    await tx.delete(emailDomains).where(eq(emailDomains.sellerId, sellerId));
    await queueSecurityMail(tx, sellerId, { change: "mail-domain", origin });
  });
}

/** The version of what the domain's form shows. */
export function domainVersion(domain: DomainView | null): string {
  return versionOf(
    domain && [domain.domainName, domain.isVerified, domain.spfRecord, domain.dkimRecord, domain.dmarcRecord],
  );
}
