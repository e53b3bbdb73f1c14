import { sql } from "drizzle-orm";
import { batchDb, db } from "#app/db/client.server.ts";
import { anyOfIds } from "#app/domain/erasure/anonymize-sales.server.ts";
import { clearMailsSql, NO_RECIPIENT } from "#app/domain/erasure/clear-mails.server.ts";
import { SELLER_MAIL_KINDS } from "#app/domain/mail/queue/mail-readers.ts";
import { DAY, SECOND } from "#app/kit/duration.ts";

/** How long a mail to an erased address is waited for: the confirmation of the request, or the notification of a correction. */
const MAX_MAIL_WAIT = 2 * DAY;

/** Mails cleared by one statement. */
const BATCH_SIZE = 1000;

/** Whether a mail `m` is waited for no more. */
export const isMailOver = sql<boolean>`(m.status <> 'attempting'
  or m.created_at < now() - make_interval(secs => ${MAX_MAIL_WAIT / SECOND}))`;

/**
 * Clears the mails to an erased address about purchases whose e-mail was corrected from it, whose buyer stays. The
 * notification of the correction, or the mail of a code, is what finds the others: all are cleared at once, or none while one
 * waits.
 * @returns whether none is left
 */
export async function clearMovedMails(email: string): Promise<boolean> {
  const movedMails = await batchDb.execute<{ id: string; is_over: boolean }>(sql`
    with known as (
      select sale_id from mails where recipient = ${email} and kind = 'email-corrected'
      union select sale_id from mails where recipient = ${email} and kind in ('pix', 'reminder')
    ), orders as (
      select distinct s.seller_id, coalesce(s.parent_sale_id, s.id) as root_id
      from known inner join sales s on s.id = known.sale_id where s.customer_email is distinct from ${email}
    )
    select m.id, ${isMailOver} as is_over
    from orders cross join lateral (
        select s.id, s.customer_email from sales s where s.id = orders.root_id
        union all
        select s.id, s.customer_email from sales s where s.seller_id = orders.seller_id and s.parent_sale_id = orders.root_id
      ) moved inner join mails m on m.seller_id = orders.seller_id and m.sale_id = moved.id
    where moved.customer_email is distinct from ${email} and m.recipient = ${email}
      and m.kind <> all(${`{${SELLER_MAIL_KINDS.join(",")}}`}::text[])
    order by m.kind in ('email-corrected', 'pix', 'reminder')`);
  if (movedMails.some((mail) => !mail.is_over)) return false;
  if (movedMails.length === 0) return true;
  // What finds the others is cleared last.
  for (let from = 0; from < movedMails.length; from += BATCH_SIZE) {
    const ids = movedMails.slice(from, from + BATCH_SIZE).map(({ id }) => id);
    // Its purchase may have been corrected back meanwhile.
    const stillMoved = sql`mails m inner join sales s on s.id = m.sale_id where m.id = ${anyOfIds(ids)}
      and m.recipient = ${email} and s.customer_email is distinct from ${email}`;
    await db.execute(clearMailsSql(stillMoved, sql`${NO_RECIPIENT}, error = null`));
  }
  return true;
}
