import { sql } from "drizzle-orm";
import { batchDb, db } from "#app/db/client.server.ts";
import { ago } from "#app/db/conditions.server.ts";
import { anonymizeShop } from "#app/domain/erasure/anonymize-shop.server.ts";
import { clearMailsSql } from "#app/domain/erasure/clear-mails.server.ts";
import { isUnusedSql } from "#app/domain/identity/email/lapsed-registration.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { FIRST_CURSOR, readRows } from "#app/queue/read-batches.server.ts";
import { runEach } from "#app/queue/run-each.server.ts";

/** Its links have long ended; whoever owns the address has not asked for another one. */
const UNCONFIRMED_RETENTION = 30 * DAY;

/** Accounts read at once. */
const ACCOUNTS_PER_BATCH = 200;

/** Of an account `v`: nobody has confirmed its address or can still do so, and it has never sold anything. */
const isAbandoned = sql`${isUnusedSql} and v.created_at < ${ago(UNCONFIRMED_RETENTION)}
  and not exists (select from email_tokens t where t.seller_id = v.id and t.used_at is null and t.expires_at > now())`;

/**
 * Anonymizes accounts whose address was never confirmed, as closed ones are: anybody can register somebody else's address. The
 * address is free again. No row of `sellers` is deleted, since most tables that refer to it have no index for that.
 */
export async function anonymizeUnconfirmedAccounts(): Promise<void> {
  const abandoned = readRows(FIRST_CURSOR, ACCOUNTS_PER_BATCH, async (cursor) =>
    batchDb.execute<typeof cursor>(sql`
      select v.id, v.created_at::text as at from sellers v
      where ${isAbandoned} and v.created_at >= ${cursor.at}::text::timestamptz
        and (v.created_at, v.id) > (${cursor.at}::text::timestamptz, ${cursor.id}::uuid)
      order by v.created_at, v.id limit ${ACCOUNTS_PER_BATCH}`),
  );
  await runEach(abandoned, ({ id }) => anonymizeAccount(id), "unconfirmed accounts not anonymized");
}

async function anonymizeAccount(sellerId: string): Promise<void> {
  const isAnonymized = await db.transaction(async (tx) => {
    // It may have been confirmed since it was listed.
    const found = await tx.execute(
      sql`select from sellers v where v.id = ${sellerId} and ${isAbandoned} for update`,
    );
    if (found.length === 0) return false;
    const ownMails = sql`mails m where m.seller_id = ${sellerId}`;
    await tx.execute(clearMailsSql(ownMails, sql`recipient = '', error = null`));
    await anonymizeShop(tx, sellerId);
    await tx.execute(sql`update sellers set closed_at = anonymized_at where id = ${sellerId}`);
    return true;
  });
  if (isAnonymized) log.info({ sellerId }, "unconfirmed account anonymized");
}
