import { eq } from "drizzle-orm";
import { emailDomains } from "#app/db/schema/mail-settings.server.ts";
import { inSellersTurn, refuseStale, versionOf } from "#app/db/version.server.ts";
import type { DomainFields } from "#app/domain/mail/domain/domain-form.server.ts";
import type { DomainView } from "#app/domain/mail/domain/domain-view.ts";
import { findDomain } from "#app/domain/mail/domain/find-domain.server.ts";
import { queueSecurityNotice } from "#app/domain/mail/queue/queue-security-notice.server.ts";
import type { Origin } from "#app/kit/device.ts";

/**
 * Keeps a domain and its records by hand. Whether a domain that Resend knows is verified is Resend's to say; naming
 * another domain leaves the one at Resend. The seller is told, but of records written down anew.
 * @throws Refusal conflict where it was saved since `version`
 */
export async function saveDomain(
  sellerId: string,
  fields: DomainFields,
  from?: Origin,
  version?: string,
): Promise<void> {
  await inSellersTurn(sellerId, async (tx) => {
    const [before] = await tx
      .select()
      .from(emailDomains)
      .where(eq(emailDomains.sellerId, sellerId))
      .for("update");
    refuseStale(version, domainVersion(await findDomain(sellerId, tx)));
    const records = {
      spfRecord: fields.spf_record,
      dkimRecord: fields.dkim_record,
      dmarcRecord: fields.dmarc_record,
      updatedAt: new Date(),
    };
    if (before?.providerId && before.domainName === fields.domain_name) {
      await tx.update(emailDomains).set(records).where(eq(emailDomains.sellerId, sellerId));
      return;
    }
    const byHand = {
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
      .values({ sellerId, ...byHand })
      .onConflictDoUpdate({ target: emailDomains.sellerId, set: byHand });
    await queueSecurityNotice(tx, sellerId, { change: "mail-domain", from });
  });
}

/** Forgets a seller's domain here; at Resend it stays as it is. Mails leave by the platform from now on. The seller is told. */
export async function removeDomain(sellerId: string, from?: Origin): Promise<void> {
  await inSellersTurn(sellerId, async (tx) => {
    await tx.delete(emailDomains).where(eq(emailDomains.sellerId, sellerId));
    await queueSecurityNotice(tx, sellerId, { change: "mail-domain", from });
  });
}

/** The version of what the domain's form shows. */
export function domainVersion(shown: DomainView | null): string {
  return versionOf(
    shown && [shown.domainName, shown.isVerified, shown.spfRecord, shown.dkimRecord, shown.dmarcRecord],
  );
}
