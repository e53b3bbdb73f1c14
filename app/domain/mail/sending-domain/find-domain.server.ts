import { eq } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { emailDomains } from "#app/db/schema/mail-settings.server.ts";
import { type DomainView, toDomainStatus } from "#app/domain/mail/sending-domain/domain-view.ts";

/** A seller's sending domain; null where they have none. */
export async function findDomain(sellerId: string, tx: Db = db): Promise<DomainView | null> {
  const [row] = await tx.select().from(emailDomains).where(eq(emailDomains.sellerId, sellerId));
  if (!row) return null;
  const { domainName, status, records, spfRecord, dkimRecord, dmarcRecord } = row;
  return {
    domainName,
    status: toDomainStatus(status),
    isVerified: row.verifiedAt !== null,
    atResend: row.providerId !== null,
    records,
    spfRecord,
    dkimRecord,
    dmarcRecord,
    checkedAt: row.checkedAt?.toISOString() ?? null,
  };
}
