import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import {
  CLOSING_MAIL_DELAY,
  type Closing,
  queueClosingMails,
} from "#app/domain/erasure/mail-closing.server.ts";
import { hasAccessCondition } from "#app/domain/sale/has-access-condition.server.ts";
import { defineJob, enqueue } from "#app/queue/job.server.ts";

/** Mails read at once. */
const BATCH = 200;

/**
 * Mails each buyer to whom a closing's mail was sent that their access does not end, once per closing: about the newest purchase to
 * which they have access, in batches, newest first. Does nothing where the account is closed again.
 */
export const mailReopening = defineJob<Closing>("mail-reopening", async (closing) => {
  const { sellerId, closedAt, beforeTime, beforeId } = closing;
  await db.transaction(async (tx) => {
    const rows = await tx.execute<{ id: string; at: string; email: string; saleId: string | null }>(sql`
      select m.id, m.created_at::text as at, m.recipient as email, (
        select ${sales.id} from ${sales} where ${sales.sellerId} = m.seller_id and ${sales.customerEmail} = m.recipient
          and ${hasAccessCondition} order by ${sales.completedAt} desc, ${sales.id} desc limit 1) as "saleId"
      from mails m inner join sellers v on v.id = m.seller_id and v.closed_at is null
      where m.seller_id = ${sellerId} and m.kind = 'shop-closed' and m.status = 'sent'
        and m.created_at >= ${new Date(closedAt).toISOString()}::timestamptz
        and ${beforeTime === "" ? sql`true` : sql`(m.created_at, m.id) < (${beforeTime}::timestamptz, ${beforeId}::uuid)`}
      order by m.created_at desc, m.id desc limit ${BATCH}`);
    const buyers = rows.flatMap(({ email, saleId }) => (saleId ? [{ id: saleId, email }] : []));
    await queueClosingMails(tx, "shop-reopened", closing, buyers);
    const last = rows.at(-1);
    if (last && rows.length === BATCH)
      await enqueue(tx, mailReopening, { ...closing, beforeTime: last.at, beforeId: last.id });
  });
});

/** When the mails of a reopening are queued: by then those of the closing that were under way have been sent or dropped. */
export function reopeningMailTime(): Date {
  return new Date(Date.now() + CLOSING_MAIL_DELAY);
}
