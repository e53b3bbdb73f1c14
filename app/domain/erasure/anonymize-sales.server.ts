import { type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { ofSaleIds } from "#app/db/conditions.server.ts";
import { reminderOptOuts } from "#app/db/schema/mail-settings.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { anonymizeRelated } from "#app/domain/erasure/anonymize-related.server.ts";
import { SELLER_MAIL_KINDS } from "#app/domain/mail/queue/mail-readers.ts";
import { rehashOptOutsOf } from "#app/domain/reminder/rehash-opt-outs.server.ts";
import { computeAddressHashes } from "#app/domain/reminder/schedule/reminder-link.server.ts";
import { log } from "#app/platform/log.server.ts";
import { isRotatingSecret } from "#app/platform/secrets.server.ts";

/** Small, so that a batch locks its rows only briefly. */
export const BATCH_SIZE = 50;

/**
 * Anonymizes these sales and everything related to them (`buyer-columns.ts`), in one transaction. Charges are locked before
 * their sales, the usual order, and locked rows are skipped until the next run, so that a payment in settlement is booked
 * with its buyer, and nothing deadlocks.
 * @param condition a condition on sales `s`, checked once they are locked
 * @param anonymizedAs whom reports count as the buyer; null where nobody is counted
 * @param lockFirst what is locked before them; nothing is done where it returns false
 * @returns the ids of the anonymized sales
 */
export async function anonymizeSales(
  saleIds: string[],
  condition: SQL,
  anonymizedAs: string | null,
  lockFirst: (tx: Tx) => Promise<boolean> = async () => true,
): Promise<string[]> {
  if (saleIds.length === 0) return [];
  const anonymizedIds = await db.transaction(async (tx) => {
    if (!(await lockFirst(tx))) return [];
    const lockedIds = await lockSales(tx, saleIds, condition);
    if (lockedIds.length === 0) return [];
    await keepComplaints(tx, lockedIds);
    await keepOptOuts(tx, lockedIds);
    await anonymizeRelated(tx, lockedIds);
    await tx.execute(sql`
      update sales set anonymized_at = now(), anonymized_as = ${anonymizedAs}::text, customer_name = null, customer_email = null,
        customer_phone = null, customer_document_sealed = null, customer_ip = null, utm_term = null, utm_content = null,
        campaign = '{}', ad_ids = null, order_key = '', submission_key = null, client_key = null
      where id = ${anyOfIds(lockedIds)}`);
    return lockedIds;
  });
  // After a restored backup these have to be anonymized again: docs/operations.md.
  if (anonymizedIds.length > 0) log.info({ sales: anonymizedIds }, "persons taken out of sales");
  return anonymizedIds;
}

/**
 * A complaint about spam is known by the mail's address, which is removed: it stays as the refusal of reminders that it is, also of
 * an address that the purchase had before.
 */
async function keepComplaints(tx: Tx, saleIds: string[]): Promise<void> {
  const complained = await tx.execute<{ seller_id: string; email: string }>(sql`
    select distinct s.seller_id, m.recipient as email from sales s
      inner join mails m on m.seller_id = s.seller_id and m.sale_id = s.id and m.recipient <> ''
        and m.kind <> all(${`{${SELLER_MAIL_KINDS.join(",")}}`}::text[])
    where s.id = ${anyOfIds(saleIds)} and m.complained_at is not null`);
  const optOuts = complained.map((one) => ({
    sellerId: one.seller_id,
    emailHash: computeAddressHashes(one.email)[0]!,
  }));
  if (optOuts.length > 0) await tx.insert(reminderOptOuts).values(optOuts).onConflictDoNothing();
}

/** While APP_SECRET is being changed: a refusal of reminders is found by the new one once its buyer's address is gone. */
async function keepOptOuts(tx: Tx, saleIds: string[]): Promise<void> {
  if (!isRotatingSecret) return;
  const buyers = await tx.execute<{ seller_id: string; emails: string[] }>(sql`
    select seller_id, jsonb_agg(distinct customer_email) as emails from sales
    where id = ${anyOfIds(saleIds)} and customer_email is not null group by seller_id`);
  for (const { seller_id, emails } of buyers) await rehashOptOutsOf(tx, seller_id, emails);
}

/** For a statement: a sale has its buyer, also one that was anonymized unpaid, was paid late and got another e-mail. */
export function hasBuyer(alias: "r" | "s"): SQL {
  return sql.raw(`(${alias}.anonymized_at is null or ${alias}.customer_email is not null)`);
}

async function lockSales(tx: Tx, saleIds: string[], condition: SQL): Promise<string[]> {
  const unblockedSales = await tx.execute<{ id: string }>(sql`
    with locked_charges as (
      select sale_id from charges where ${ofSaleIds(charges, saleIds)} order by id for no key update skip locked
    )
    select s.id from sales s where s.id = ${anyOfIds(saleIds)}
      and (select count(*) from charges c where c.seller_id = s.seller_id and c.sale_id = s.id) = (select count(*) from locked_charges h where h.sale_id = s.id)`);
  const rows = await tx.execute<{ id: string }>(sql`
    select s.id from sales s where s.id = ${anyOfIds(unblockedSales.map(({ id }) => id))} and ${hasBuyer("s")} and ${condition}
    order by s.id for no key update skip locked`);
  return rows.map(({ id }) => id);
}

/** For `id = …` in a query. */
export function anyOfIds(ids: string[]): SQL {
  return sql`any(${`{${ids.join(",")}}`}::uuid[])`;
}
