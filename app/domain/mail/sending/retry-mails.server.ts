import { type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notifyExpression } from "#app/db/notify.server.ts";
import type { MailKind } from "#app/db/schema/mail-data.ts";
import { LINK_LIFETIMES } from "#app/domain/mail/queue/link-lifetimes.ts";
import { obsoleteReason } from "#app/domain/mail/queue/obsolete-mails.server.ts";
import { platformCarrier } from "#app/domain/mail/sending/senders/platform.server.ts";
import { MAILS } from "#app/queue/names.ts";

/** Rows changed by one statement. */
const BATCH_SIZE = 500;

/** Mails that are of no use later: those with a link that expires, and the one that tells the old address of such a link. */
const NOT_RETRIED = [...Object.keys(LINK_LIFETIMES), "email-change" satisfies MailKind];

/**
 * Makes mails due now that wait for a refused account, for example after the key or password was changed. An account that the
 * platform had before is refused no longer, since nothing is sent by it.
 */
export async function retryPausedMails(): Promise<number> {
  const isFormer = sql`(via = 'platform' and account <> ${platformCarrier.account})`;
  await db.execute(sql`
    with former as (delete from mail_account_pauses where ${isFormer})
    update mail_account_pauses set paused_until = now() where not ${isFormer}`);
  // Mails that wait at an account without a slot there.
  return updateInBatches(sql`
    update queued_mails set scheduled_at = now() where id in (
      select id from queued_mails where account is not null and slot_at is null and scheduled_at > now()
      limit ${BATCH_SIZE} for update skip locked)
    returning id`);
}

/**
 * Makes the platform's mails due now that are tried again later, perhaps in hours because its quota was used up. Each counts
 * another attempt, so not at every start.
 */
export function retryLaterMails(): Promise<number> {
  return updateInBatches(sql`
    update queued_mails set scheduled_at = now() where id in (
      select id from queued_mails
      where via = 'platform' and account is null and attempts > 0 and slot_at is null and scheduled_at > now()
      limit ${BATCH_SIZE} for update skip locked)
    returning id`);
}

/**
 * Sends again the mails that waited in this period and failed because of their account or were given up, as they were rendered:
 * what waited at its end may have been given up days later. They are tried as if they had been queued now, and found by the same
 * period where they fail again.
 * Excludes mails that may have arrived, that an address or its server refused, that a restore ended, whose links or codes
 * expired, or that are not true any more.
 * @returns how many will be sent
 */
export async function retryFailedMails(from: Date, to: Date): Promise<number> {
  const kinds = sql.join(
    NOT_RETRIED.map((kind) => sql`${kind}`),
    sql`, `,
  );
  return updateInBatches(sql`
    with failed as materialized (
      select queued_mails.id from queued_mails inner join mails on mails.id = queued_mails.id
      where queued_mails.scheduled_at is null and mails.created_at < ${to.toISOString()}::timestamptz
        and mails.failed_at >= ${from.toISOString()}::timestamptz
        and queued_mails.uncertain_since is null and mails.bounced_at is null and mails.complained_at is null and mails.sent_at is null
        and mails.provider_id is null and mails.status = 'failed' and mails.failure in ('account', 'gave-up')
        and mails.kind not in (${kinds})
        and not (mails.kind in ('pix', 'reminder')
          and coalesce((queued_mails.data ->> 'expiresAt')::timestamptz < now(), mails.created_at < now() - interval '1 day'))
        and ${obsoleteReason} is null
      limit ${BATCH_SIZE} for update of queued_mails skip locked
    ), queued as (
      update queued_mails set scheduled_at = now(), created_at = now(), attempts = 0 where id = any(array(select id from failed))
    )
    update mails set status = 'attempting', attempts = 0, failure = null, error = null, failed_at = null
    where id = any(array(select id from failed))
    returning id`);
}

async function updateInBatches(statement: SQL): Promise<number> {
  let changed = 0;
  for (let hasMore = true; hasMore; ) {
    const rows = await db.execute(statement);
    changed += rows.length;
    hasMore = rows.length === BATCH_SIZE;
  }
  if (changed > 0) await db.execute(sql`select ${notifyExpression("due", MAILS)}`);
  return changed;
}
