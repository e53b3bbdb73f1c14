import { type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { db } from "#app/db/client.server.ts";
import { queuedMails } from "#app/db/schema/mails.server.ts";
import { MAX_SEND_DELAY } from "#app/domain/mail/sending/claim-mails.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { elapsedMs, readClocks } from "#app/platform/clocks.ts";

/** Mails whose records share a statement, and how long the first waits for others, in milliseconds. */
export const MAILS_AT_ONCE = 50;
export const GROUP_WAIT = 50;

export function msFromNowSql(ms: number): SQL {
  return sql`now() + make_interval(secs => ${ms / SECOND})`;
}

/** Updates the row of a mail in the queue. @returns false if `where` no longer holds */
export async function updateQueuedMail(
  where: SQL | undefined,
  values: PgUpdateSetSource<typeof queuedMails>,
): Promise<boolean> {
  const changed = await db.update(queuedMails).set(values).where(where).returning({ id: queuedMails.id });
  return changed.length > 0;
}

/** The same right before a call. @returns false also where it took so long that another worker may soon make that call */
export async function updateBeforeCall(
  where: SQL | undefined,
  values: PgUpdateSetSource<typeof queuedMails>,
): Promise<boolean> {
  const startedAt = readClocks();
  return (await updateQueuedMail(where, values)) && elapsedMs(startedAt) < MAX_SEND_DELAY;
}
