import { and, count, eq, gt, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { HOUR } from "#app/kit/duration.ts";

const MOST = 5;
const WITHIN = HOUR;

/**
 * Whether one more mail about an unpaid order may go to an address: anybody can type a stranger's into a checkout, so all
 * shops together write to it five times an hour. Whoever pays hears of it always. Exact: of mails queued at the same time
 * each waits for the one before. Two statements.
 */
export async function mayMailUnpaid(tx: Tx, recipient: string): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('unpaid ' || ${recipient}, 0))`);
  const [found] = await tx
    .select({ queued: count() })
    .from(mails)
    .where(
      and(
        eq(mails.recipient, recipient),
        gt(mails.createdAt, new Date(Date.now() - WITHIN)),
        // As the index has it.
        sql`kind in ('pix', 'reminder')`,
      ),
    );
  return found!.queued < MOST;
}
