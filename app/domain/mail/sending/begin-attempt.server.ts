import { and, eq, isNotNull, sql } from "drizzle-orm";
import { batch } from "#app/db/batcher.server.ts";
import { db } from "#app/db/client.server.ts";
import { queuedMails } from "#app/db/schema/mails.server.ts";
import { isRendered } from "#app/domain/mail/queue/mail-body.server.ts";
import { leaseEndSql, MAX_SEND_DELAY } from "#app/domain/mail/sending/claim-mails.server.ts";
import {
  isUnchangedSql,
  type PreparedMail,
  preparedMailsSql,
  setFrozenSql,
} from "#app/domain/mail/sending/prepared-mail.server.ts";
import {
  GROUP_WAIT,
  MAILS_AT_ONCE,
  updateQueuedMail,
} from "#app/domain/mail/sending/update-queued-mail.server.ts";
import { elapsedMs, readClocks } from "#app/platform/clocks.ts";

/** The number of the attempt, and since when the provider may have accepted the mail without our receiving the answer. */
export type BegunAttempt = { attempts: number; uncertainSince: Date | null };

type SavedAttempt = BegunAttempt & { leasedUntil: Date };
type AttemptRow = { id: string; attempts: number; unsure: number | null; lease_end: number };

/**
 * The last statement before the call. @returns null where the lease was lost, or too much of it has passed: a worker that was
 * frozen meanwhile would send a second copy by SMTP, also to an address that was corrected since.
 */
export async function beginAttempt(prepared: PreparedMail): Promise<BegunAttempt | null> {
  const startedAt = readClocks();
  const saved = await saveAttempt(prepared);
  if (!saved) return null;
  const { leasedUntil, ...begun } = saved;
  if (elapsedMs(startedAt) < MAX_SEND_DELAY) return begun;
  await undoAttempt(prepared.claimed.id, saved);
  return null;
}

/** Takes back an attempt that was counted and not made. A worker that took the mail over meanwhile keeps its lease. */
async function undoAttempt(id: string, { attempts, leasedUntil }: SavedAttempt): Promise<void> {
  const isOwn = sql`${queuedMails.leasedUntil} = ${leasedUntil.toISOString()}::timestamptz`;
  await updateQueuedMail(
    and(eq(queuedMails.id, id), eq(queuedMails.attempts, attempts), isNotNull(queuedMails.scheduledAt)),
    {
      attempts: attempts - 1,
      claimedAt: null,
      leasedUntil: sql`case when ${isOwn} then null else ${queuedMails.leasedUntil} end`,
      scheduledAt: sql`case when ${isOwn} then now() + interval '1 second' else ${queuedMails.scheduledAt} end`,
    },
  );
}

/**
 * Stores the mail as it will be sent, before it reaches any provider, and counts the attempt. Mails that begin at almost the
 * same time share the statement. Null where the lease was lost.
 */
const saveAttempt = batch<PreparedMail, SavedAttempt | null>(
  MAILS_AT_ONCE,
  async (group) => {
    // An attempt without a recorded result may have been accepted: its worker died in between. A mail that was not even
    // rendered was not sent.
    const rows = await db.execute<AttemptRow>(sql`
      update queued_mails set attempts = queued_mails.attempts + 1, claimed_at = now(), slot_at = null, leased_until = ${leaseEndSql},
        uncertain_since = coalesce(queued_mails.uncertain_since, case when ${isRendered} then queued_mails.claimed_at end), ${setFrozenSql}
      from ${preparedMailsSql(group)} where ${isUnchangedSql(group)}
      returning queued_mails.id, queued_mails.attempts, extract(epoch from queued_mails.uncertain_since)::float8 * 1000 as unsure,
        extract(epoch from queued_mails.leased_until)::float8 * 1000 as lease_end`);
    const attemptRows = new Map(rows.map((row) => [row.id, row]));
    return group.map(({ claimed }) => {
      const row = attemptRows.get(claimed.id);
      if (!row) return null;
      const { attempts, unsure, lease_end: leaseEnd } = row;
      return {
        attempts,
        uncertainSince: unsure === null ? null : new Date(unsure),
        leasedUntil: new Date(Math.round(leaseEnd)),
      };
    });
  },
  { waitMs: GROUP_WAIT },
);
