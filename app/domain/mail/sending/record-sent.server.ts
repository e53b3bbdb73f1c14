import { sql } from "drizzle-orm";
import { batch } from "#app/db/batcher.server.ts";
import { db } from "#app/db/client.server.ts";
import { anyOf } from "#app/db/conditions.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";

/** A mail that a carrier accepted; `note` states why it was not the seller's own account. */
type SentMail = { id: string; providerId: string | null; note: string | null };

/**
 * Records that a mail was sent, by whichever attempt learns it first. The provider's webhook may precede its answer: a mail
 * that bounced already stays failed. The same statement clears its text, whose links open purchases and accounts. Answers
 * that come at almost the same time share a statement.
 * @returns whether it was not known before
 */
export const recordSent = batch<SentMail, boolean>(
  50,
  async (sentMails) => {
    const rows = sentMails.map(({ id, providerId, note }) => ({ id, provider_id: providerId, note }));
    const changedMails = await db.execute<{ id: string }>(sql`
      update mails set status = case when mails.bounced_at is null then 'sent' else 'failed' end,
        error = case when mails.bounced_at is null then w.note else mails.error end,
        provider_id = w.provider_id, sent_at = now(), claimed_at = null, body_sealed = null
      from (select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as w(id uuid, provider_id text, note text) order by id) w
      where ${anyOf(
        mails.id,
        sentMails.map(({ id }) => id),
      )} and mails.id = w.id and mails.status <> 'sent'
      returning mails.id`);
    const ids = new Set(changedMails.map(({ id }) => id));
    return sentMails.map(({ id }) => ids.has(id));
  },
  { waitMs: 50 },
);
