import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { inGroups } from "#app/db/in-groups.server.ts";
import { leaseEnd } from "#app/domain/mail/outbox/claim-mails.server.ts";
import { asDrawn, type Drawn, drawnMails, isAsTaken } from "#app/domain/mail/outbox/keep-drawn.server.ts";
import { isDrawn } from "#app/domain/mail/queue/mail-body.server.ts";

/** The number of the attempt, and since when the provider may have taken the mail without our hearing of it. */
export type Begun = { attempts: number; unsureSince: Date | null };

type Row = { id: string; attempts: number; unsure: number | null };

/**
 * The last statement before the call: the mail is kept as it will be sent, before any provider hears of it, and the attempt
 * is counted. Those who begin at almost the same time share it. Null where the mail is no longer ours.
 */
export const beginAttempt = inGroups<Drawn, Begun | null>(
  50,
  async (group) => {
    // An attempt that left no note may have been taken: its worker died between the call and our row.
    // One that was not even drawn was given to nobody.
    const rows = await db.execute<Row>(sql`
      update mails set attempts = mails.attempts + 1, claimed_at = now(), turn_at = null, due_at = ${leaseEnd},
        unsure_since = coalesce(mails.unsure_since, case when ${isDrawn} then mails.claimed_at end), ${asDrawn}
      from ${drawnMails(group)} where ${isAsTaken(group)}
      returning mails.id, mails.attempts, extract(epoch from mails.unsure_since)::float8 * 1000 as unsure`);
    const begun = new Map(rows.map((row) => [row.id, row]));
    return group.map(({ taken }) => {
      const row = begun.get(taken.id);
      return row
        ? { attempts: row.attempts, unsureSince: row.unsure === null ? null : new Date(row.unsure) }
        : null;
    });
  },
  { gather: 50 },
);
