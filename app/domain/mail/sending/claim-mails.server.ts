import { eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { nowRoundedUp } from "#app/db/columns.server.ts";
import { anyOf } from "#app/db/conditions.server.ts";
import { mails, queuedMails } from "#app/db/schema/mails.server.ts";
import { type Cte, Statement } from "#app/db/statement.server.ts";
import type { QueuedMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { SELLER_MAIL_KINDS } from "#app/domain/mail/queue/mail-readers.ts";
import { type ObsoleteReason, obsoleteReason } from "#app/domain/mail/queue/obsolete-mails.server.ts";
import { PRIORITIES } from "#app/domain/mail/queue/priorities.ts";
import { isOverLimit } from "#app/domain/mail/queue/unpaid-order-mails.server.ts";
import { SECOND } from "#app/kit/duration.ts";

/** A worker that has not renewed its lease for this long is considered dead. */
export const LEASE = 15 * SECOND;
/** How long the statement right before a call may take: after more of the lease another worker may soon call, too. */
export const MAX_SEND_DELAY = LEASE / 4;
/** When a lease ends that begins now. */
export const leaseEndSql = sql`date_trunc('milliseconds', now()) + make_interval(secs => ${LEASE / SECOND})`;
/**
 * A claimed mail. `isOverLimit`: its recipient got too many; `obsoleteReason`: why it is untrue by now; `newRecipient`: the address
 * that the seller who reads it has now, null where it is the recipient; `slotInMs`: in how many milliseconds from `claimedTime`
 * (by `performance.now`) its slot at `slotAccount` is, null where it has none.
 */
export type ClaimedMail = QueuedMail & {
  isOverLimit: boolean;
  obsoleteReason: ObsoleteReason | null;
  newRecipient: string | null;
  slotInMs: number | null;
  slotAccount: string | null;
  claimedTime: number;
};
/** A waiting mail while it is chosen. */
type DueColumn = "id" | "account" | "priority" | "created_at" | "scheduled_at" | "slot_at";
type ClaimedRow = Omit<ClaimedMail, "slotInMs" | "slotAccount" | "claimedTime">;

/**
 * Claims due mails: by priority, and within one the longest due first. A slot at an account goes to the mail of the highest
 * priority that waits there, whichever it was reserved for; the two swap slots. So an access mail waits for one slot,
 * however many PIX codes wait, and a mail whose worker died keeps its rank. Locked rows are left for the next claim.
 */
export async function claimMails(max: number): Promise<ClaimedMail[]> {
  const statement = new Statement();
  const scheduled: Cte<DueColumn>[] = [];
  for (const priority of PRIORITIES)
    scheduled.push(
      statement.add(`due_${priority}`, scheduledMailsSql(priority, max, scheduled), "materialized"),
    );
  const due = statement.add<DueColumn>(
    "due",
    sql.join(
      scheduled.map((ofPriority) => sql`select * from ${ofPriority}`),
      sql` union all `,
    ),
    "materialized",
  );
  const best = statement.add<DueColumn>(
    "best",
    sql`select b.* from (select account, count(*) as slots from ${due} where account is not null group by 1) a,
      lateral (select * from (
        select id, account, priority, created_at, scheduled_at, slot_at from queued_mails
        where account = a.account and claimed_at is null
        order by priority, created_at limit a.slots for no key update skip locked
      ) m limit ${HARD_LIMIT}) b limit ${HARD_LIMIT}`,
    "materialized",
  );
  const ranked = statement.add<DueColumn | "slots" | "priority_rank" | "slot_rank">(
    "ranked",
    sql`select *, count(*) filter (where is_due) over (partition by account) as slots,
        row_number() over (partition by account order by priority, created_at, id) as priority_rank,
        row_number() over (partition by account order by scheduled_at, slot_at, id) as slot_rank
      from (select *, true as is_due from ${due} where account is not null
        union all select *, false from ${best} where id not in (select id from ${due})) waiting`,
  );
  const chosen = statement.add<"id" | "is_claimed" | "account" | "scheduled_at" | "slot_at">(
    "chosen",
    sql`select m.id, m.priority_rank <= m.slots as is_claimed, m.account, t.scheduled_at, t.slot_at
      from ${ranked} m inner join ${ranked} t on t.account = m.account and t.slot_rank = m.priority_rank
      union all select id, true, null, scheduled_at, slot_at from ${due} where account is null`,
    "materialized",
  );
  const changed = statement.add(
    "changed",
    sql`update queued_mails set slot_at = c.slot_at, scheduled_at = c.scheduled_at,
        leased_until = case when c.is_claimed then ${leaseEndSql} end,
        account = case when c.is_claimed then null else c.account end
      from ${chosen} c where queued_mails.id = any(array(select id from ${chosen})) and queued_mails.id = c.id
      returning queued_mails.id, c.is_claimed, c.account, c.slot_at`,
  );
  const claimed = await db.execute<{ id: string; slot_in: number | null; slot_account: string | null }>(
    statement.selectFrom(
      changed,
      sql`id, account as slot_account, extract(epoch from slot_at - now())::float8 * 1000 as slot_in`,
      sql`where is_claimed`,
    ),
  );
  const claimedTime = performance.now();
  const rows = await readClaimedMails(claimed.map(({ id }) => id));
  return claimed.flatMap(({ id, slot_in: slotInMs, slot_account: slotAccount }) => {
    const row = rows.get(id);
    return row ? { ...row, slotInMs, slotAccount, claimedTime } : [];
  });
}

/**
 * More are never claimed at once. As a constant, it tells PostgreSQL what it cannot know from the limits below while it
 * plans.
 */
const HARD_LIMIT = sql.raw("100");

/** The due mails of one priority, up to the limit that higher priorities, `claimedBefore`, left. */
function scheduledMailsSql(priority: number, max: number, claimedBefore: Cte<DueColumn>[]): SQL {
  const priorityValue = sql.raw(String(priority));
  const taken = claimedBefore.map((other) => sql` - (select count(*) from ${other})`);
  return sql`select * from (
      select id, account, priority, created_at, scheduled_at, slot_at from queued_mails
      where priority = ${priorityValue} and scheduled_at <= ${nowRoundedUp} and coalesce(leased_until <= ${nowRoundedUp}, true)
      order by scheduled_at limit ${max}::int${sql.join(taken, sql``)} for no key update skip locked
    ) m limit ${HARD_LIMIT}`;
}

/** The columns of a mail that waits. */
export const queuedMailColumns = {
  ...getTableColumns(queuedMails),
  kind: mails.kind,
  saleId: mails.saleId,
  recipient: mails.recipient,
  idempotencyKey: mails.idempotencyKey,
  error: mails.error,
  loggedAt: mails.createdAt,
};

/** A seller's mail names their buyers, so it goes to the address that their account has when it is sent. */
const newRecipient = sql<string | null>`(case when ${inArray(mails.kind, SELLER_MAIL_KINDS)} then (
  select v.email from sellers v where v.id = mails.seller_id and v.email <> mails.recipient) end)`;

/** The claimed mails by id. One that was changed since is left to another worker. */
async function readClaimedMails(ids: string[]): Promise<Map<string, ClaimedRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ ...queuedMailColumns, isOverLimit, obsoleteReason, newRecipient })
    .from(queuedMails)
    .innerJoin(mails, eq(mails.id, queuedMails.id))
    .where(
      sql`${anyOf(queuedMails.id, ids)} and mails.status = 'attempting' and queued_mails.leased_until > now()`,
    );
  return new Map(rows.map((row) => [row.id, row]));
}
