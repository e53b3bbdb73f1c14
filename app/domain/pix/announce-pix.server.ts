import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { notifying } from "#app/db/notify.server.ts";
import type { WaitingPix } from "#app/db/schema/mails.server.ts";
import { storable } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { MAIL_PRIORITY } from "#app/domain/mail/queue/priorities.ts";
import { DEFAULT_REMINDERS } from "#app/domain/reminder/schedule/reminder-times.ts";
import { requestId } from "#app/platform/request-id.server.ts";
import { MAILS } from "#app/queue/names.ts";

/** The same as `announcing`, by itself. */
export async function announcePix(tx: Db, saleId: string, pix: WaitingPix): Promise<void> {
  await tx.execute(
    sql`with moved as (select ${saleId}::uuid as sale_id), ${announcing(pix)} select from announced`,
  );
}

/**
 * Queues the mail that brings the buyer the first PIX of their order, and sets the first reminder: parts of a statement
 * that has a row `moved` with a `sale_id`. Later codes of the same order change nothing.
 */
export function announcing(pix: WaitingPix): SQL {
  const facts = JSON.stringify({ ...pix, pixCode: storable(pix.pixCode) });
  const request = sql`${requestId() ?? null}::text`;
  return sql`announced as (
      insert into mails (kind, priority, idempotency_key, recipient, seller_id, sale_id, facts, request_id)
      select 'pix', ${MAIL_PRIORITY.pix}::smallint, 'pix/' || s.id, s.customer_email, s.seller_id, s.id, ${facts}::jsonb, ${request}
      from moved, lateral (select id, seller_id, customer_email, status from sales where id = moved.sale_id limit 1) s
      where s.status = 'pending' and s.customer_email <> ''
      on conflict (idempotency_key) do nothing
      returning sale_id, seller_id, ${notifying("due", MAILS)}
    ), first_reminder as (
      select sale_id, a.seller_id, case when m.seller_id is null then ${DEFAULT_REMINDERS[0]!}::int else m.reminder_minutes[1] end as minutes
      from announced a left join mail_settings m on m.seller_id = a.seller_id
    ), reminded as (
      insert into reminders (sale_id, seller_id, number, since, due_at, request_id)
      select sale_id, seller_id, 1, now(), now() + make_interval(mins => minutes), ${request}
      from first_reminder where minutes is not null
      on conflict (sale_id) do nothing
    )`;
}
