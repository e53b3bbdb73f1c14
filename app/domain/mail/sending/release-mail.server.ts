import { sql } from "drizzle-orm";
import { batch } from "#app/db/batcher.server.ts";
import { db } from "#app/db/client.server.ts";
import {
  isUnchangedSql,
  type PreparedMail,
  preparedMailsSql,
  setFrozenSql,
} from "#app/domain/mail/sending/prepared-mail.server.ts";
import { GROUP_WAIT, MAILS_AT_ONCE } from "#app/domain/mail/sending/update-queued-mail.server.ts";
import { SECOND } from "#app/kit/duration.ts";

/** A rendered mail that waits for this account, due in `scheduledInMs`, with its slot at `slotAt` if it has one. */
type WaitingMail = PreparedMail & { scheduledInMs: number; slotAt: Date | null; account: string };

/**
 * Releases a mail until its slot, as it was rendered. Mails claimed together share a statement; one that somebody else has
 * claimed meanwhile is left alone.
 */
export const releaseMail = batch<WaitingMail, void>(
  MAILS_AT_ONCE,
  async (group) => {
    const waitingMails = preparedMailsSql(
      group,
      "scheduled_in float8, slot_at timestamptz, account text",
      ({ scheduledInMs, slotAt, account }) => ({
        scheduled_in: scheduledInMs / SECOND,
        slot_at: slotAt,
        account,
      }),
    );
    await db.execute(sql`
      update queued_mails set scheduled_at = now() + make_interval(secs => w.scheduled_in), leased_until = null, slot_at = w.slot_at,
        account = w.account, ${setFrozenSql}
      from ${waitingMails} where ${isUnchangedSql(group)}`);
    return group.map(() => undefined);
  },
  { waitMs: GROUP_WAIT },
);
