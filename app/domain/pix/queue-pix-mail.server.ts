import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { notifyExpression } from "#app/db/notify.server.ts";
import type { PendingPix } from "#app/db/schema/mail-data.ts";
import { DEFAULT_REMINDER_TIMES } from "#app/db/schema/mail-settings.server.ts";
import { type Cte, Statement } from "#app/db/statement.server.ts";
import { toStorableText } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { MAIL_PRIORITY } from "#app/domain/mail/queue/priorities.ts";
import { requestId } from "#app/platform/request-id.server.ts";
import { MAILS } from "#app/queue/names.ts";

/** Runs `addPixMail` as a statement of its own. */
export async function queuePixMail(
  tx: Db,
  { id, sellerId }: { id: string; sellerId: string },
  pix: PendingPix,
): Promise<void> {
  const statement = new Statement();
  const sale = statement.add<"sale_id" | "seller_id">(
    "sale",
    sql`select ${id}::uuid as sale_id, ${sellerId}::uuid as seller_id`,
  );
  await tx.execute(statement.selectFrom(addPixMail(statement, sale, pix), sql`1`));
}

/**
 * Adds the mail with an order's first PIX, and its first reminder, to a statement. Later codes of the same order add
 * nothing.
 */
export function addPixMail(
  statement: Statement,
  sale: Cte<"sale_id" | "seller_id">,
  pix: PendingPix,
): Cte<"sale_id"> {
  const data = JSON.stringify({ ...pix, pixCode: toStorableText(pix.pixCode) });
  const request = sql`${requestId() ?? null}::text`;
  const announced = statement.add<"id" | "sale_id" | "seller_id">(
    "announced",
    sql`insert into mails (kind, idempotency_key, recipient, seller_id, sale_id)
      select 'pix', 'pix/' || s.id, s.customer_email, s.seller_id, s.id
      from ${sale} m, lateral (select id, seller_id, customer_email, status from sales
        where seller_id = m.seller_id and id = m.sale_id limit 1) s
      where s.status = 'pending' and s.customer_email <> ''
      on conflict do nothing
      returning id, sale_id, seller_id, ${notifyExpression("due", MAILS)}`,
  );
  statement.add(
    "queued",
    sql`insert into queued_mails (id, seller_id, priority, data, request_id)
      select id, seller_id, ${MAIL_PRIORITY.pix}::smallint, ${data}::jsonb, ${request} from ${announced}`,
  );
  const reminder = statement.add(
    "first_reminder",
    sql`select sale_id, a.seller_id, case when m.seller_id is null then ${DEFAULT_REMINDER_TIMES[0]!}::int else m.reminder_minutes[1] end as minutes
      from ${announced} a left join mail_settings m on m.seller_id = a.seller_id`,
  );
  statement.add(
    "reminded",
    sql`insert into reminders (sale_id, seller_id, number, since, scheduled_at, request_id)
      select sale_id, seller_id, 1, now(), now() + make_interval(mins => minutes), ${request}
      from ${reminder} where minutes is not null
      on conflict do nothing`,
  );
  return announced;
}
