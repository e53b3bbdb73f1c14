import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { inGroups } from "#app/db/in-groups.server.ts";
import type { TakenMail } from "#app/domain/mail/outbox/claim-mails.server.ts";
import type { Frozen } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { SECOND } from "#app/kit/duration.ts";

/** A mail that waits for its turn: drawn as it is now, due in `dueIn` milliseconds for a turn at `turnAt`. */
type Waiting = { taken: TakenMail; frozen: Frozen; dueIn: number; turnAt: Date };

/**
 * Gives a mail back until its turn, as it was drawn. Many who were taken together share a statement; one that somebody
 * else has taken meanwhile is left alone.
 */
export const giveBack = inGroups<Waiting, void>(50, async (group) => {
  const rows = group.map(({ taken, frozen, dueIn, turnAt }) => ({
    ...{ id: taken.id, taken_until: taken.dueAt, due_in: dueIn / SECOND, turn_at: turnAt },
    // Nothing where it was kept before.
    ...(taken.payload
      ? {}
      : { payload: frozen.payload, via: frozen.via, failed_at: frozen.templateFailedAt }),
  }));
  await db.execute(sql`
    update mails set due_at = now() + make_interval(secs => w.due_in), turn_at = w.turn_at,
      payload = coalesce(mails.payload, w.payload), via = coalesce(w.via, mails.via),
      template_failed_at = coalesce(mails.template_failed_at, w.failed_at)
    from (select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as w(id uuid, taken_until timestamptz,
      due_in float8, turn_at timestamptz, payload jsonb, via text, failed_at timestamptz)) w
    where mails.id = w.id and mails.due_at = w.taken_until and mails.status = 'attempting'`);
  return group.map(() => undefined);
});
