import { type SQL, sql } from "drizzle-orm";
import { batchDb, db } from "#app/db/client.server.ts";
import { ago } from "#app/db/conditions.server.ts";
import { clearMailsSql, NO_RECIPIENT } from "#app/domain/erasure/clear-mails.server.ts";
import { SELLER_MAIL_KINDS } from "#app/domain/mail/queue/mail-readers.ts";
import { DAY } from "#app/kit/duration.ts";
import { runEach } from "#app/queue/run-each.server.ts";

/**
 * Clears mails to the sellers of accounts that were anonymized within the last day, by a transaction that had read the address
 * before and queued its mail afterwards. Mails to buyers stay: some pay late.
 */
export async function clearLateMails(): Promise<void> {
  const anonymized = await batchDb.execute<{ id: string }>(
    sql`select id from sellers where anonymized_at > ${ago(DAY)}`,
  );
  await runEach(anonymized, ({ id }) => db.execute(clearLateMailsSql(id)), "late mails not cleared");
}

function clearLateMailsSql(sellerId: string): SQL {
  const isToSeller = sql`(m.sale_id is null or m.kind = any(${`{${SELLER_MAIL_KINDS.join(",")}}`}::text[]))`;
  const lateMails = sql`mails m where m.seller_id = ${sellerId} and m.created_at > ${ago(2 * DAY)} and m.recipient <> '' and ${isToSeller}`;
  return clearMailsSql(lateMails, sql`${NO_RECIPIENT}, error = null`);
}
