import { type SQL, sql } from "drizzle-orm";
import { anyOf } from "#app/db/conditions.server.ts";
import { queuedMails } from "#app/db/schema/mails.server.ts";
import type { FrozenColumns } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { hasBody, isRendered, sealMail } from "#app/domain/mail/queue/mail-body.server.ts";
import type { ClaimedMail } from "#app/domain/mail/sending/claim-mails.server.ts";

/** A claimed mail as it was rendered. */
export type PreparedMail = { claimed: ClaimedMail; frozen: FrozenColumns };

/** More of a mail's row that a statement needs, by the names of `columns`. */
type ExtraColumns = Record<string, unknown>;

/** The first rendering is stored: nothing changes where one was stored before. */
export const setFrozenSql = sql`body_sealed = case when ${isRendered} then queued_mails.body_sealed else w.body_sealed end,
  via = coalesce(w.via, queued_mails.via), template_failed_at = coalesce(queued_mails.template_failed_at, w.failed_at)`;

/**
 * Claimed mails as the table `w` of an update, ordered, so that two statements never deadlock.
 * @param columns the columns that `extraColumns` returns, with their types
 */
export function preparedMailsSql<T extends PreparedMail>(
  preparedMails: T[],
  columns = "",
  extraColumns: (preparedMail: T) => ExtraColumns = () => ({}),
): SQL {
  const rows = preparedMails.map((preparedMail) => ({
    ...{
      id: preparedMail.claimed.id,
      leased_until: preparedMail.claimed.leasedUntil,
      ...extraColumns(preparedMail),
    },
    ...(hasBody(preparedMail.claimed) ? {} : toFrozenColumns(preparedMail.frozen)),
  }));
  return sql`(select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as w(id uuid, leased_until timestamptz,
    body_sealed text, via text, failed_at timestamptz${sql.raw(columns && `, ${columns}`)}) order by id) w`;
}

/** Whether nobody else claimed the mail since: each claim's lease ends at a moment of its own. */
export function isUnchangedSql(preparedMails: PreparedMail[]): SQL {
  const ids = preparedMails.map(({ claimed }) => claimed.id);
  return sql`${anyOf(queuedMails.id, ids)} and queued_mails.id = w.id and queued_mails.leased_until is not distinct from w.leased_until`;
}

function toFrozenColumns({ payload, via, templateFailedAt }: FrozenColumns) {
  return { body_sealed: sealMail(payload).bodySealed, via, failed_at: templateFailedAt };
}
