import { sql } from "drizzle-orm";
import { anyOf } from "#app/db/any-of.server.ts";
import { db } from "#app/db/client.server.ts";
import { inGroups } from "#app/db/in-groups.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";

/** A mail that a carrier took; `note` says why it was not the seller's own account. */
type Sent = { id: string; providerId: string | null; note: string | null };

/**
 * Whichever attempt hears it first: the mail was sent. The provider's news may have come before its answer: a mail that
 * bounced already stays failed. Its text goes with the
 * same statement: links in it open purchases and accounts. Answers that come at almost the same time share a statement.
 * @returns whether it was not known before
 */
export const noteSent = inGroups<Sent, boolean>(
  50,
  async (group) => {
    const rows = group.map(({ id, providerId, note }) => ({ id, provider_id: providerId, note }));
    const noted = await db.execute<{ id: string }>(sql`
      update mails set status = case when mails.bounced_at is null then 'sent' else 'failed' end,
        error = case when mails.bounced_at is null then w.note else mails.error end,
        provider_id = w.provider_id, sent_at = now(), claimed_at = null,
        subject = coalesce(mails.subject, mails.payload ->> 'subject'), body_sealed = null, payload = null
      from (select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as w(id uuid, provider_id text, note text) order by id) w
      where ${anyOf(
        mails.id,
        group.map(({ id }) => id),
      )} and mails.id = w.id and mails.status <> 'sent'
      returning mails.id`);
    const ids = new Set(noted.map(({ id }) => id));
    return group.map(({ id }) => ids.has(id));
  },
  { gather: 50 },
);
