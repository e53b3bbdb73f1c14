import { sql } from "drizzle-orm";
import { batch } from "#app/db/batcher.server.ts";
import { db } from "#app/db/client.server.ts";
import { anyOf } from "#app/db/conditions.server.ts";
import { mails, queuedMails } from "#app/db/schema/mails.server.ts";
import { isUnsentAfterAll } from "#app/domain/mail/sending/unsent-after-all.server.ts";
import { GROUP_WAIT, MAILS_AT_ONCE } from "#app/domain/mail/sending/update-queued-mail.server.ts";

/** A mail that a carrier accepted; `note` states why it was not the seller's own account. */
type SentMail = { id: string; subject: string; providerId: string | null; note: string | null };

/** Whether the provider reported that it lost a mail that it had accepted. */
const isLost = sql`(mails.bounced_at is not null or ${isUnsentAfterAll})`;

/**
 * Records that a mail was sent, by whichever attempt learns it first. The provider's webhook may precede its answer: a mail
 * that bounced or could not be sent stays failed, and one that was delivered gets the provider's id. The same statement deletes its text,
 * whose links open purchases and accounts. Answers that come at almost the same time share a statement. Where the mail was ended
 * meanwhile, its buyer may have been anonymized.
 * @returns whether it was not known before
 */
export const recordSent = batch<SentMail, boolean>(
  MAILS_AT_ONCE,
  async (sentMails) => {
    const rows = sentMails.map(({ providerId, ...mail }) => ({ ...mail, provider_id: providerId }));
    const ids = sentMails.map(({ id }) => id);
    const changedMails = await db.execute<{ id: string }>(sql`
      with queued as materialized (
        select id, attempts, via, template_failed_at from queued_mails where ${anyOf(queuedMails.id, ids)} order by id for update
      ), unqueued as (
        delete from queued_mails where id = any(array(select id from queued))
      ), accepted as materialized (
        select w.*, q.id is not null as was_queued, q.attempts, q.via, q.template_failed_at
        from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as w(id uuid, subject text, provider_id text, note text)
          left join queued q on q.id = w.id
        order by w.id
      )
      update mails set status = case when ${isLost} then 'failed' else 'sent' end,
        error = case when ${isLost} then mails.error else w.note end,
        failure = case when ${isLost} then mails.failure end,
        failed_at = case when ${isLost} then mails.failed_at end,
        provider_id = w.provider_id, sent_at = now(), subject = case when w.was_queued then w.subject else mails.subject end,
        attempts = coalesce(w.attempts, mails.attempts), via = coalesce(w.via, mails.via),
        template_failed_at = coalesce(w.template_failed_at, mails.template_failed_at)
      from accepted w where ${anyOf(mails.id, ids)} and mails.id = w.id and (mails.status <> 'sent' or mails.provider_id is null)
      returning mails.id`);
    const changedIds = new Set(changedMails.map(({ id }) => id));
    return sentMails.map(({ id }) => changedIds.has(id));
  },
  { waitMs: GROUP_WAIT },
);
