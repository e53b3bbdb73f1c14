import { and, asc, lt, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { endMail, GIVE_UP_AFTER } from "#app/domain/mail/outbox/end-mail.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob, enqueue } from "#app/queue/job.server.ts";
import { SEND_MAIL } from "#app/queue/names.ts";

/** Younger mails have their job, or will within seconds. */
const STUCK_AFTER = 10 * MINUTE;
const AT_ONCE = 500;
const INTERRUPTED = "O envio foi interrompido: o e-mail pode não ter chegado.";

/**
 * Every five minutes: mails that are being attempted but have no job left that would (its worker was killed at the last
 * try, or an error was ours) get one again, under the same idempotency key; those too old for it are given up.
 */
export const sweepMails = defineJob<Record<string, never>>("sweep-mails", async () => {
  const now = Date.now();
  const stuck = await db
    .select({ id: mails.id, createdAt: mails.createdAt, claimedAt: mails.claimedAt, error: mails.error })
    .from(mails)
    .where(
      and(
        sql`${mails.status} = 'attempting'`,
        lt(mails.createdAt, new Date(now - STUCK_AFTER)),
        sql`not exists (
          select from graphile_worker.jobs j
          where j.key = ${`${SEND_MAIL.name}:`}::text || ${mails.id}
            and (j.locked_at is not null or j.attempts < j.max_attempts)
        )`,
      ),
    )
    .orderBy(asc(mails.createdAt))
    .limit(AT_ONCE);
  for (const { id, createdAt, claimedAt, error } of stuck) {
    if (now - createdAt.getTime() > GIVE_UP_AFTER)
      await endMail(id, claimedAt ? INTERRUPTED : (error ?? INTERRUPTED));
    else await enqueue(db, SEND_MAIL, { mailId: id }, { key: id });
  }
  if (stuck.length > 0) log.warn({ mails: stuck.length }, "mails without a job swept");
});
