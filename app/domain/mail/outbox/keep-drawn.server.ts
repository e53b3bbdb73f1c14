import { type SQL, sql } from "drizzle-orm";
import { anyOf } from "#app/db/any-of.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import type { TakenMail } from "#app/domain/mail/outbox/claim-mails.server.ts";
import type { Frozen } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { hasBody, isDrawn, sealMail } from "#app/domain/mail/queue/mail-body.server.ts";

/** A mail in hand, as it was drawn. */
export type Drawn = { taken: TakenMail; frozen: Frozen };

/** More of a mail's row that a statement is to know, by the names of `columns`. */
type More = Record<string, unknown>;

/** A mail is kept as it was drawn first: nothing changes where it was kept before. */
export const asDrawn = sql`subject = case when ${isDrawn} then mails.subject else w.subject end,
  body_sealed = case when ${isDrawn} then mails.body_sealed else w.body_sealed end, via = coalesce(w.via, mails.via),
  template_failed_at = coalesce(mails.template_failed_at, w.failed_at)`;

/**
 * Mails in hand as the table `w` of an update, in one order, so that two statements never wait for each other.
 * @param columns of what `more` tells, with their types
 */
export function drawnMails<T extends Drawn>(
  group: T[],
  columns = "",
  more: (one: T) => More = () => ({}),
): SQL {
  const rows = group.map((one) => ({
    ...{ id: one.taken.id, taken_until: one.taken.dueAt, ...more(one) },
    ...(hasBody(one.taken) ? {} : keptOf(one.frozen)),
  }));
  return sql`(select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as w(id uuid, taken_until timestamptz,
    subject text, body_sealed text, via text, failed_at timestamptz${sql.raw(columns && `, ${columns}`)}) order by id) w`;
}

/**
 * Where nobody else took the mail since. All that were taken together are due at one moment, so they are not to be found by
 * that: `is not distinct from` is looked up in no index.
 */
export function isAsTaken(group: Drawn[]): SQL {
  const ids = group.map(({ taken }) => taken.id);
  return sql`${anyOf(mails.id, ids)} and mails.id = w.id and mails.due_at is not distinct from w.taken_until and mails.status = 'attempting'`;
}

function keptOf({ payload, via, templateFailedAt }: Frozen) {
  const { subject, bodySealed } = sealMail(payload);
  return { subject, body_sealed: bodySealed, via, failed_at: templateFailedAt };
}
