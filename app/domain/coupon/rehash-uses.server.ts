import { sql } from "drizzle-orm";
import { batchDb } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { couponUses, offerUses } from "#app/db/schema/uses.server.ts";
import { buyerHashes } from "#app/domain/coupon/reserve-coupon.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { isStopping } from "#app/platform/shutdown.server.ts";
import { FIRST_CURSOR, readBatches } from "#app/queue/read-batches.server.ts";

const BATCH_SIZE = 500;

type Uses = typeof couponUses | typeof offerUses;
type UseRow = {
  saleId: string;
  sellerId: string;
  emailHash: string | null;
  documentHash: string | null;
  email: string | null;
  documentSealed: string | null;
};
/** A use with its hashes before and after. */
type Fresh = {
  id: string;
  seller: string;
  email_was: string | null;
  email_now: string | null;
  document_was: string | null;
  document_now: string | null;
};

/**
 * While APP_SECRET is being changed: hashes the buyers of coupons and offers with the new secret, so that the limits per buyer
 * still count them without the old one. A use whose e-mail was corrected since is found by its document only.
 * @returns how many uses were rehashed, and how many were locked or changed meanwhile and are left
 */
export async function rehashUses(): Promise<{ rehashed: number; left: number }> {
  let [rehashed, left] = [0, 0];
  for (const uses of [couponUses, offerUses]) {
    const read = ({ saleId }: { saleId: string }) => readUses(uses, saleId);
    for await (const rows of readBatches({ saleId: FIRST_CURSOR.id }, BATCH_SIZE, read)) {
      if (isStopping()) break;
      const fresh = rows.flatMap(freshHashes);
      const written = await writeHashes(uses, fresh);
      rehashed += written;
      left += fresh.length - written;
    }
  }
  return { rehashed, left };
}

function readUses(uses: Uses, after: string): Promise<UseRow[]> {
  return batchDb.execute<UseRow>(sql`
    select u.sale_id as "saleId", u.seller_id as "sellerId", u.email_hash as "emailHash", u.document_hash as "documentHash",
      s.customer_email as email, s.customer_document_sealed as "documentSealed"
    from ${uses} u inner join ${sales} s on s.seller_id = u.seller_id and s.id = u.sale_id
    where u.sale_id > ${after} order by u.sale_id limit ${BATCH_SIZE}`);
}

function freshHashes({ saleId, sellerId, emailHash, documentHash, email, documentSealed }: UseRow): Fresh[] {
  const document = documentHash && documentSealed ? readable(documentSealed) : null;
  const hashes = buyerHashes(sellerId, { email, document });
  const isEmailOld = hashes.email.indexOf(emailHash ?? "") > 0;
  const isDocumentOld = hashes.document.indexOf(documentHash ?? "") > 0;
  if (!isEmailOld && !isDocumentOld) return [];
  return [
    {
      id: saleId,
      seller: sellerId,
      email_was: emailHash,
      email_now: isEmailOld ? hashes.email[0]! : emailHash,
      document_was: documentHash,
      document_now: isDocumentOld ? hashes.document[0]! : documentHash,
    },
  ];
}

/** Null where neither secret decrypts it, which `reseal` reports. */
function readable(sealed: string): string | null {
  try {
    return unseal(sealed);
  } catch {
    return null;
  }
}

/** Skips locked uses, and those whose buyer was anonymized meanwhile. @returns how many were written */
async function writeHashes(uses: Uses, fresh: Fresh[]): Promise<number> {
  if (fresh.length === 0) return 0;
  const written = await batchDb.execute(sql`
    with fresh as (
      select * from jsonb_to_recordset(${JSON.stringify(fresh)}::text::jsonb)
        as f (id uuid, seller uuid, email_was text, email_now text, document_was text, document_now text)
    ), free as (
      select u.sale_id from ${uses} u inner join fresh on fresh.id = u.sale_id and fresh.seller = u.seller_id
      where u.email_hash is not distinct from fresh.email_was and u.document_hash is not distinct from fresh.document_was
      for no key update of u skip locked
    )
    update ${uses} u set email_hash = fresh.email_now, document_hash = fresh.document_now from free, fresh
    where u.seller_id = fresh.seller and u.sale_id = free.sale_id and fresh.id = free.sale_id`);
  return written.count;
}
