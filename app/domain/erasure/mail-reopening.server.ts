import { and, eq, isNotNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ago } from "#app/db/conditions.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import {
  CLOSING_MAIL_DELAY,
  type Closing,
  closingMailTime,
  queueClosingMails,
} from "#app/domain/erasure/mail-closing.server.ts";
import { hasAccessCondition } from "#app/domain/sale/has-access-condition.server.ts";
import { defineJob, enqueue } from "#app/queue/job.server.ts";

/** Mails read at once. */
const BATCH = 200;

/**
 * Mails each buyer to whom a closing's mail was sent that their access does not end, once per closing: about the newest purchase to
 * which they have access, in batches, newest first. Where the account is closed again it waits for the mails of that closing,
 * which say when the access ends now: who reopens it before they are queued leaves the earlier date to be taken back.
 */
export const mailReopening = defineJob<Closing>("mail-reopening", async (closing) => {
  const { sellerId, closedAt, beforeTime, beforeId } = closing;
  await db.transaction(async (tx) => {
    const [closedAgain] = await tx
      .select({
        at: sellers.closedAt,
        isUndoable: sql<boolean>`${sellers.closedAt} > ${ago(CLOSING_MAIL_DELAY)}`,
      })
      .from(sellers)
      .where(and(eq(sellers.id, sellerId), isNotNull(sellers.closedAt)));
    if (closedAgain) {
      if (closedAgain.isUndoable)
        await enqueue(tx, mailReopening, closing, { when: closingMailTime(closedAgain.at!) });
      return;
    }
    const rows = await tx.execute<{ id: string; at: string; email: string; saleId: string | null }>(sql`
      select m.id, m.created_at::text as at, m.recipient as email, (
        select ${sales.id} from ${sales} where ${sales.sellerId} = m.seller_id and ${sales.customerEmail} = m.recipient
          and ${hasAccessCondition} order by ${sales.completedAt} desc, ${sales.id} desc limit 1) as "saleId"
      from mails m
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
