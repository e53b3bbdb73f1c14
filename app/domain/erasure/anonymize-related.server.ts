import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { clearMailsSql, NO_RECIPIENT } from "#app/domain/erasure/clear-mails.server.ts";
import { SELLER_MAIL_KINDS } from "#app/domain/mail/queue/mail-readers.ts";

/** Why a mail to the seller is not sent, for the delivery log. */
const NOT_SENT_TEXT = "Os dados do comprador foram apagados antes do envio.";

/**
 * Anonymizes what is related to these sales. The sales themselves are the caller's, who holds their locks where they still
 * name somebody. What is being sent to others stays until `isFinalPass`; what is being sent to the buyer is dropped. Rows are
 * locked in the order of their ids, as elsewhere. Idempotent.
 */
export async function anonymizeRelated(tx: Tx, saleIds: string[], isFinalPass = false): Promise<void> {
  for (const statement of listStatements(saleIds, isFinalPass)) await tx.execute(statement);
}

function listStatements(saleIds: string[], isFinalPass: boolean): SQL[] {
  const ids = sql`any(${`{${saleIds.join(",")}}`}::uuid[])`;
  const sellerIds = sql`any(array(select seller_id from sales where id = ${ids}))`;
  const ofSales = sql`seller_id = ${sellerIds} and sale_id = ${ids}`;
  const ofCharges = sql`c.seller_id = ${sellerIds} and c.sale_id = ${ids}`;
  const isEnded = (runningStatus: SQL) => (isFinalPass ? sql`true` : sql`status <> ${runningStatus}`);
  return [
    sql`update charges set failure_detail = null where ${ofSales} and failure_detail is not null`,
    sql`update charge_events e set data = e.data || '{"detail": ""}'
      from charges c where e.seller_id = c.seller_id and e.charge_id = c.id and ${ofCharges} and e.data ->> 'detail' <> ''`,
    sql`update refunds r set failure_detail = null
      from charges c where r.seller_id = c.seller_id and r.charge_id = c.id and ${ofCharges} and r.failure_detail is not null`,
    // The event of a correction stays, without the address.
    sql`update sale_events set data = data - 'from' where ${ofSales} and data ? 'from'`,
    sql`update refund_requests set reason = null, answer_text = null, failure = null where ${ofSales}`,
    sql`update disputes set note = null where ${ofSales} and note is not null`,
    sql`update offer_uses set email_hash = null, document_hash = null where sale_id = ${ids}`,
    sql`update coupon_uses set email_hash = null, document_hash = null where sale_id = ${ids}`,
    sql`delete from reminders where ${ofSales}`,
    // Copies carry the buyer's name; clean-files deletes them within 25 hours.
    sql`delete from stamped_copies where sale_id = ${ids}`,
    clearMailsToBuyerSql(sql`m.seller_id = ${sellerIds} and m.sale_id = ${ids}`),
    clearMailsToSellerSql(
      sql`m.seller_id = ${sellerIds} and m.sale_id = ${ids} and ${isEnded(sql`'attempting'`)}`,
    ),
    sql`update deliveries o set cleared_at = now(), body_sealed = null, response_body = null, about_email_sealed = null
      from (select id from deliveries where ${ofSales} and ${isEnded(sql`'queued'`)}
        and num_nonnulls(body_sealed, response_body, about_email_sealed) > 0 order by id for no key update) locked_rows where o.id = locked_rows.id`,
  ];
}

/** A worker that is sending one finds it gone from the queue. By kind: the seller may have another address by now. */
function clearMailsToBuyerSql(ofSales: SQL): SQL {
  const isToSeller = sql`m.kind = any(${`{${SELLER_MAIL_KINDS.join(",")}}`}::text[])`;
  return clearMailsSql(
    sql`mails m inner join sales s on s.id = m.sale_id
      where ${ofSales} and m.recipient <> '' and (not ${isToSeller} or m.recipient = s.customer_email)`,
    sql`${NO_RECIPIENT},
      error = case m.status when 'sent' then null else 'Os dados do comprador foram apagados: não há mais para quem enviar.' end`,
  );
}

/** They name the buyer. One that is still waiting in the final pass is dropped: it would be empty. */
function clearMailsToSellerSql(ofSales: SQL): SQL {
  return clearMailsSql(
    sql`mails m where ${ofSales} and m.recipient <> '' and (m.subject is not null or m.error <> ${NOT_SENT_TEXT}
      or exists (select from queued_mails q where q.id = m.id))`,
    sql`error = case m.status when 'attempting' then ${NOT_SENT_TEXT} end`,
  );
}
