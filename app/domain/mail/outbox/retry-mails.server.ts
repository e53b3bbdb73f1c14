import { type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notifying } from "#app/db/notify.server.ts";
import type { MailKind } from "#app/db/schema/mails.server.ts";
import { MAILS } from "#app/queue/names.ts";

/** Rows changed by one statement. */
const BATCH = 500;

/** Mails whose link ends within hours: whoever waited for one asks for another. */
const SHORT_LIVED: MailKind[] = [
  "buyer-link",
  "confirm-email",
  "correct-email",
  "email-change",
  "reset-password",
];

/** Makes due now what waits for an account that refused it: after its key or password was changed, say. */
export async function retryPausedMails(): Promise<number> {
  await db.execute(sql`update mail_account_pauses set paused_until = now()`);
  // Whatever waits at an account without a turn there.
  return inBatches(sql`
    update mails set due_at = now() where id in (
      select id from mails where status = 'attempting' and account is not null and turn_at is null and due_at > now()
      limit ${BATCH} for update skip locked)
    returning id`);
}

/**
 * Sends again the mails queued in this span of time that an account refused or that were given up, as they were drawn. Left out is
 * what may have arrived, what an address or its server refused, what a restore ended, and what nobody needs any more: paid and
 * expired PIX codes, links that have ended.
 * @returns how many will be sent
 */
export async function retryFailedMails(from: Date, to: Date): Promise<number> {
  const kinds = sql.join(
    SHORT_LIVED.map((kind) => sql`${kind}`),
    sql`, `,
  );
  return inBatches(sql`
    update mails set status = 'attempting', due_at = now(), attempts = 0, failure = null, error = null, account = null,
      turn_at = null
    where id in (
      select id from mails where status = 'failed' and created_at >= ${from.toISOString()}::timestamptz
        and created_at < ${to.toISOString()}::timestamptz
        and unsure_since is null and bounced_at is null and complained_at is null and sent_at is null
        and provider_id is null and cleared_at is null
        and failure in ('account', 'gave-up')
        and kind not in (${kinds})
        and not (kind in ('pix', 'reminder') and coalesce((facts ->> 'expiresAt')::timestamptz < now(), created_at < now() - interval '1 day'))
      limit ${BATCH} for update skip locked)
    returning id`);
}

async function inBatches(statement: SQL): Promise<number> {
  let changed = 0;
  for (let more = true; more; ) {
    const rows = await db.execute(statement);
    changed += rows.length;
    more = rows.length === BATCH;
  }
  if (changed > 0) await db.execute(sql`select ${notifying("due", MAILS)}`);
  return changed;
}
