import { sql } from "drizzle-orm";
import { batch } from "#app/db/batcher.server.ts";
import { db } from "#app/db/client.server.ts";
import { isRendered } from "#app/domain/mail/queue/mail-body.server.ts";
import { leaseEndSql } from "#app/domain/mail/sending/claim-mails.server.ts";
import {
  isUnchangedSql,
  type PreparedMail,
  preparedMailsSql,
  setFrozenSql,
} from "#app/domain/mail/sending/prepared-mail.server.ts";
import { GROUP_WAIT, MAILS_AT_ONCE } from "#app/domain/mail/sending/update-queued-mail.server.ts";

/** The number of the attempt, and since when the provider may have accepted the mail without our receiving the answer. */
export type BegunAttempt = { attempts: number; uncertainSince: Date | null };

type AttemptRow = { id: string; attempts: number; unsure: number | null };

/**
 * The last statement before the call: stores the mail as it will be sent, before it reaches any provider, and counts the
 * attempt. Mails that begin at almost the same time share it. Null where the lease was lost.
 */
export const beginAttempt = batch<PreparedMail, BegunAttempt | null>(
  MAILS_AT_ONCE,
  async (group) => {
    // An attempt without a recorded result may have been accepted: its worker died in between. A mail that was not even
    // rendered was not sent.
    const rows = await db.execute<AttemptRow>(sql`
      update queued_mails set attempts = queued_mails.attempts + 1, claimed_at = now(), slot_at = null, leased_until = ${leaseEndSql},
        uncertain_since = coalesce(queued_mails.uncertain_since, case when ${isRendered} then queued_mails.claimed_at end), ${setFrozenSql}
      from ${preparedMailsSql(group)} where ${isUnchangedSql(group)}
      returning queued_mails.id, queued_mails.attempts, extract(epoch from queued_mails.uncertain_since)::float8 * 1000 as unsure`);
    const attemptRows = new Map(rows.map((row) => [row.id, row]));
    return group.map(({ claimed }) => {
      const row = attemptRows.get(claimed.id);
      return row
        ? { attempts: row.attempts, uncertainSince: row.unsure === null ? null : new Date(row.unsure) }
        : null;
    });
  },
  { waitMs: GROUP_WAIT },
);
