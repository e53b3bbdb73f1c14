import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { anyOf } from "#app/db/any-of.server.ts";
import { db } from "#app/db/client.server.ts";
import { byNow } from "#app/db/columns.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { PRIORITIES } from "#app/domain/mail/queue/priorities.ts";
import { isOver, isPaid, isTooMany } from "#app/domain/mail/queue/unpaid-mails.server.ts";
import { SECOND } from "#app/kit/duration.ts";

/** Whoever took a mail and said nothing for so long is taken for dead. */
const LEASE = 15 * SECOND;
/** Whoever is at it says so as often. */
export const RENEW_EVERY = LEASE / 3;
export const leaseEnd = sql`date_trunc('milliseconds', now()) + make_interval(secs => ${LEASE / SECOND})`;

/**
 * A mail that was due. `dueAt` is until when it is ours; `isTooMany`: its address has had enough; `isPaid`: it asks for a
 * payment that came; `turnIn`: in how many milliseconds from `takenAt` (by `performance.now`) its turn at the account
 * `turnOf` is, null where it has none.
 */
export type TakenMail = typeof mails.$inferSelect & {
  isTooMany: boolean;
  isPaid: boolean;
  isOver: boolean;
  turnIn: number | null;
  turnOf: string | null;
  takenAt: number;
};

/**
 * Takes mails that are due: those of the first priority first, among these the longest due. A turn at an account goes to the
 * best mail that waits there, whichever it was reserved for: the other gets the turn of the better one. So an access mail
 * waits for one turn, however many PIX codes wait, and a mail that a worker died with keeps its place.
 * What somebody else holds is left for the next time.
 */
export async function claimMails(most: number): Promise<TakenMail[]> {
  const claimed = await db.execute<{ id: string; turn_in: number | null; turn_of: string | null }>(sql`
    with ${sql.join(PRIORITIES.map(dueOf(most)), sql`, `)},
    due as materialized (${sql.join(
      PRIORITIES.map((priority) => sql`select * from ${dueName(priority)}`),
      sql` union all `,
    )}),
    best as materialized (
      select b.* from (select account, count(*) as turns from due where account is not null group by 1) a,
        lateral (select * from (
          select id, account, priority, created_at, due_at, turn_at from mails
          where status = 'attempting' and account = a.account and claimed_at is null
          order by priority, created_at limit a.turns for no key update skip locked
        ) m limit ${AT_MOST}) b limit ${AT_MOST}
    ),
    waiting as (
      select *, true as is_due from due where account is not null
      union all select *, false from best where id not in (select id from due)
    ),
    ranked as (
      select *, count(*) filter (where is_due) over (partition by account) as turns,
        row_number() over (partition by account order by priority, created_at, id) as place,
        row_number() over (partition by account order by due_at, turn_at, id) as turn
      from waiting
    ),
    chosen as materialized (
      select m.id, m.place <= m.turns as is_taken, m.account, t.due_at, t.turn_at
      from ranked m inner join ranked t on t.account = m.account and t.turn = m.place
      union all select id, true, null, due_at, turn_at from due where account is null
    ),
    changed as (
      update mails set turn_at = c.turn_at, due_at = case when c.is_taken then ${leaseEnd} else c.due_at end,
        account = case when c.is_taken then null else c.account end
      from chosen c where mails.id = any(array(select id from chosen)) and mails.id = c.id
      returning mails.id, c.is_taken, c.account, c.turn_at
    )
    select id, account as turn_of, extract(epoch from turn_at - now())::float8 * 1000 as turn_in from changed where is_taken`);
  const takenAt = performance.now();
  const rows = await read(claimed.map(({ id }) => id));
  return claimed.flatMap(({ id, turn_in: turnIn, turn_of: turnOf }) => {
    const row = rows.get(id);
    return row ? { ...row, turnIn, turnOf, takenAt } : [];
  });
}

const dueName = (priority: number) => sql.raw(`due_${priority}`);

/** More are never taken at once. PostgreSQL, which cannot know the limits below while it plans, is told so. */
const AT_MOST = sql.raw("100");

/**
 * Those of one priority, and no more than the ones before it left places for. Rows are compared as a whole so that only the
 * index of both columns is of use: another holds all that wait, by `due_at`. The sum says that the priority is not null
 * (docs/decisions/rows-are-their-own-queue.md).
 */
const dueOf =
  (most: number) =>
  (priority: number): SQL => {
    const one = sql.raw(String(priority));
    const before = PRIORITIES.filter((other) => other < priority).map(
      (other) => sql` - (select count(*) from ${dueName(other)})`,
    );
    return sql`${dueName(priority)} as materialized (select * from (
      select id, account, priority, created_at, due_at, turn_at from mails
      where status = 'attempting' and priority + 0 = ${one}
        and (priority, due_at) >= (${one}, '-infinity') and (priority, due_at) <= (${one}, ${byNow})
      order by priority, due_at limit ${most}::int${sql.join(before, sql``)} for no key update skip locked
    ) m limit ${AT_MOST})`;
  };

/** What was taken, by id. One that was changed since is somebody else's to take. */
async function read(ids: string[]) {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ ...getTableColumns(mails), isTooMany, isPaid, isOver })
    .from(mails)
    .where(sql`${anyOf(mails.id, ids)} and mails.status = 'attempting' and mails.due_at > now()`);
  return new Map(rows.map((row) => [row.id, row]));
}
