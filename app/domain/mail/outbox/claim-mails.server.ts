import { getTableColumns, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { byNow } from "#app/db/columns.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { isTooMany } from "#app/domain/mail/queue/unpaid-mails.server.ts";
import { SECOND } from "#app/kit/duration.ts";

/** Whoever took a mail and said nothing for so long is taken for dead. */
const LEASE = 15 * SECOND;
/** Whoever is at it says so as often. */
export const RENEW_EVERY = LEASE / 3;
export const leaseEnd = sql`date_trunc('milliseconds', now()) + make_interval(secs => ${LEASE / SECOND})`;

/**
 * A mail that was due. `dueAt` is until when it is ours; `isTooMany`: its address has had enough; `turnIn`: in how many
 * milliseconds from `takenAt` (by `performance.now`) the turn is that was reserved for it, null where none was.
 */
export type TakenMail = typeof mails.$inferSelect & {
  isTooMany: boolean;
  turnIn: number | null;
  takenAt: number;
};

/** By the database's clock, as turns are. */
const turnIn = sql<number | null>`extract(epoch from turn_at - now())::float8 * 1000`;

/** Takes mails that are due, the longest due first. What somebody else holds is left for the next time. */
export async function claimMails(most: number): Promise<TakenMail[]> {
  const rows = await db
    .update(mails)
    .set({ dueAt: leaseEnd })
    .where(
      sql`${mails.id} = any(array(select id from mails where status = 'attempting' and due_at <= ${byNow}
        order by due_at limit ${most} for no key update skip locked))`,
    )
    .returning({ ...getTableColumns(mails), isTooMany, turnIn });
  const takenAt = performance.now();
  return rows.map((row) => ({ ...row, takenAt }));
}
