import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { inGroups } from "#app/db/in-groups.server.ts";
import { asDrawn, type Drawn, drawnMails, isAsTaken } from "#app/domain/mail/outbox/keep-drawn.server.ts";
import { SECOND } from "#app/kit/duration.ts";

/** A mail that waits for this account: drawn as it is now, due in `dueIn` milliseconds, for a turn at `turnAt` where it has one. */
type Waiting = Drawn & { dueIn: number; turnAt: Date | null; account: string };

/**
 * Gives a mail back until its turn, as it was drawn. Many who were taken together share a statement; one that somebody
 * else has taken meanwhile is left alone.
 */
export const giveBack = inGroups<Waiting, void>(
  50,
  async (group) => {
    const waiting = drawnMails(
      group,
      "due_in float8, turn_at timestamptz, account text",
      ({ dueIn, turnAt, account }) => ({
        due_in: dueIn / SECOND,
        turn_at: turnAt,
        account,
      }),
    );
    await db.execute(sql`
      update mails set due_at = now() + make_interval(secs => w.due_in), turn_at = w.turn_at, account = w.account, ${asDrawn}
      from ${waiting} where ${isAsTaken(group)}`);
    return group.map(() => undefined);
  },
  { gather: 50 },
);
