import { type SQL, sql } from "drizzle-orm";
import type { mails } from "#app/db/schema/mails.server.ts";
import { Statement } from "#app/db/statement.server.ts";

export type MailFailure = NonNullable<typeof mails.$inferSelect.failure>;

/** Why a mail is not sent again after its answer was lost. */
export const UNCERTAIN_TEXT = "O provedor não confirmou o envio: o e-mail pode ter chegado.";

type EndedMail = {
  failure: MailFailure;
  error: string;
  subject?: string | undefined;
  uncertainSince?: Date | null;
};

/**
 * The statement that ends waiting mails as failed. The text stays where `retry-mails` may send it again.
 * @param where which rows of `queued_mails`
 * @returns the ids of those that failed
 */
export function failMailsSql(
  where: SQL | undefined,
  { failure, error, subject, uncertainSince }: EndedMail,
): SQL {
  const canRetry = failure === "account" || failure === "gave-up";
  const statement = new Statement();
  const ended = statement.add<"id" | "attempts" | "via" | "template_failed_at">(
    "ended",
    sql`select id, attempts, via, template_failed_at from queued_mails where ${where} order by id for update`,
    "materialized",
  );
  const ids = sql`any(array(select id from ${ended}))`;
  statement.add(
    "unqueued",
    canRetry
      ? sql`update queued_mails set scheduled_at = null, leased_until = null, claimed_at = null, slot_at = null, account = null,
          uncertain_since = coalesce(${uncertainSince?.toISOString() ?? null}::timestamptz, uncertain_since) where id = ${ids}`
      : sql`delete from queued_mails where id = ${ids}`,
  );
  const failed = statement.add(
    "failed",
    sql`update mails m set status = 'failed', failed_at = now(), failure = ${failure}, error = ${error},
        subject = coalesce(${subject ?? null}::text, m.subject), attempts = e.attempts, via = e.via, template_failed_at = e.template_failed_at
      from ${ended} e where m.id = ${ids} and m.id = e.id
      returning m.id`,
  );
  return statement.selectFrom(failed, sql`id`);
}
