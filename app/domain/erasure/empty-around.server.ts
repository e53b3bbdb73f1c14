import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";

/** What an update of a mail sets so that nothing is left of what it said. */
export const EMPTY_MAIL = sql`facts = null, subject = null, body_sealed = null, payload = null, cleared_at = now()`;
/** Why a mail to the seller is not sent, in the words of the delivery log. */
const GIVEN_UP = "Os dados do comprador foram apagados antes do envio.";

/**
 * Empties what speaks of the buyer around these sales: the sales themselves are their caller's, who holds them locked where
 * they still name somebody. What is on its way to somebody else stays until `isAll`; what is on its way to the buyer is given up.
 * Rows are locked by their ids' order, as who writes several of them does. Any number of times.
 */
export async function emptyAround(tx: Tx, saleIds: string[], isAll = false): Promise<void> {
  const ids = sql`any(${`{${saleIds.join(",")}}`}::uuid[])`;
  for (const statement of statements(ids, isAll)) await tx.execute(statement);
}

function statements(ids: SQL, isAll: boolean): SQL[] {
  const ended = (running: SQL) => (isAll ? sql`true` : sql`status <> ${running}`);
  return [
    sql`update charges set failure_detail = null where sale_id = ${ids} and failure_detail is not null`,
    sql`update charge_events e set data = e.data || '{"detail": ""}'
      from charges c where c.id = e.charge_id and c.sale_id = ${ids} and e.data ->> 'detail' <> ''`,
    sql`update refunds r set failure_detail = null
      from charges c where c.id = r.charge_id and c.sale_id = ${ids} and r.failure_detail is not null`,
    // Of a correction the fact remains, not the address.
    sql`update sale_events set data = data - 'from' where sale_id = ${ids} and data ? 'from'`,
    sql`update refund_requests set reason = null, answer_text = null, failure = null where sale_id = ${ids}`,
    sql`update disputes set note = null where sale_id = ${ids} and note is not null`,
    sql`delete from reminders where sale_id = ${ids}`,
    // Their copies carry the buyer's name, and go within a day, by clean-files.
    sql`delete from stamps where sale_id = ${ids}`,
    mailsToBuyer(ids),
    mailsToSeller(ids, ended(sql`'attempting'`)),
    sql`update outbox o set cleared_at = now(), body_sealed = null, response_body = null, about_email_sealed = null
      from (select id from outbox where sale_id = ${ids} and ${ended(sql`'queued'`)}
        and num_nonnulls(body_sealed, response_body, about_email_sealed) > 0 order by id for no key update) held where o.id = held.id`,
  ];
}

/** Whoever has one in hand finds that it is over by its new moment. */
function mailsToBuyer(ids: SQL): SQL {
  return sql`update mails m set recipient = '', ${EMPTY_MAIL},
      status = case m.status when 'attempting' then 'failed' else m.status end,
      error = case m.status when 'sent' then null else 'Os dados do comprador foram apagados: não há mais para quem enviar.' end,
      due_at = now()
    from (
      select m.id from mails m inner join sales s on s.id = m.sale_id inner join sellers v on v.id = s.seller_id
      where m.sale_id = ${ids} and m.recipient <> '' and (m.recipient <> v.email or m.recipient = s.customer_email)
      order by m.id for no key update of m
    ) held where m.id = held.id`;
}

/** They name the buyer. One that still waits when the rest is emptied for the last time is given up: it would arrive empty. */
function mailsToSeller(ids: SQL, isOver: SQL): SQL {
  return sql`update mails m set ${EMPTY_MAIL}, due_at = now(),
      status = case m.status when 'attempting' then 'failed' else m.status end,
      error = case m.status when 'attempting' then ${GIVEN_UP} end
    from (select id from mails where sale_id = ${ids} and ${isOver} and cleared_at is null
      order by id for no key update) held where m.id = held.id`;
}
