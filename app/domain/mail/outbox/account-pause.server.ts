import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { inGroups } from "#app/db/in-groups.server.ts";
import { notifying } from "#app/db/notify.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { MAILS } from "#app/queue/names.ts";

/** The first pause of an account that refuses; each is twice the one before, up to the longest. */
const FIRST_PAUSE = 30 * SECOND;
const LONGEST_PAUSE = 15 * MINUTE;
/** Whoever tries whether the account takes mails again has so long to find out: longer than any call. */
const TRIAL = MINUTE;
/** Mails made due by one statement once an account takes them again. */
const WOKEN = 500;
/** For so long a process trusts what it read. */
const TRUSTED_FOR = SECOND;

/** How an account stands: `free`, or `paused` for so many milliseconds: from 0 down one mail may try it. */
type Pause = "free" | { pausedFor: number };
type Read = { pause: Pause; at: number };

/** What was read, by account: a working account costs a statement a second, not one a mail. */
const read = new Map<string, Read>();

/** Whether an account is paused, for all processes: it stands in the database. */
export async function findPause(account: string): Promise<Pause> {
  const now = performance.now();
  const known = read.get(account);
  if (known && now - known.at < TRUSTED_FOR)
    return known.pause === "free" ? "free" : { pausedFor: known.pause.pausedFor - (now - known.at) };
  const pause = await readPause(account);
  if (read.size > 1000) read.clear();
  read.set(account, { pause, at: performance.now() });
  return pause;
}

const readPause = inGroups<string, Pause>(50, async (accounts) => {
  const rows = await db.execute<{ account: string; left: number }>(sql`
    select account, ${left} as left from mail_account_pauses
    where account in (select jsonb_array_elements_text(${JSON.stringify(accounts)}::text::jsonb))`);
  const paused = new Map(rows.map((row) => [row.account, row.left]));
  return accounts.map((account) => {
    const pausedFor = paused.get(account);
    return pausedFor === undefined ? "free" : { pausedFor };
  });
});

const left = sql`extract(epoch from paused_until - now())::float8 * 1000`;

/** Asks for the one try after a pause. @returns whether it is ours; where not, `findPause` says for how long to wait */
export async function beginTrial(account: string): Promise<boolean> {
  read.delete(account);
  const begun = await db.execute(sql`
    update mail_account_pauses set paused_until = now() + make_interval(secs => ${TRIAL / SECOND})
    where account = ${account} and paused_until <= now() returning account`);
  return begun.length > 0;
}

/**
 * Notes that an account refused a mail. Those that were under way together are one refusal: only the first, and the try
 * after each pause, make it longer.
 * @returns for how many milliseconds nothing is sent by it, and whether this is the first refusal
 */
export async function pauseAccount(
  account: string,
  via: "platform" | "seller",
  isTrial: boolean,
): Promise<{ pausedFor: number; isNew: boolean }> {
  const [row] = await db.execute<{ left: number; is_new: boolean }>(sql`
    insert into mail_account_pauses as p (account, via, refusals, paused_until)
    values (${account}, ${via}, 1, now() + make_interval(secs => ${FIRST_PAUSE / SECOND}))
    on conflict (account) do update set (refusals, paused_until) = (
      select p.refusals + n, case n when 0 then p.paused_until else now() + make_interval(secs =>
        least(${LONGEST_PAUSE / SECOND}, ${FIRST_PAUSE / SECOND} * 2 ^ least(p.refusals, 20))) end
      from (select case when ${isTrial} or p.paused_until <= now() then 1 else 0 end) as c(n))
    returning ${left} as left, (xmax = 0) as is_new`);
  read.delete(account);
  return { pausedFor: Math.max(row!.left, SECOND), isNew: row!.is_new };
}

/** The account takes mails again: the first of those that wait for it are due now, the others by the end of the try's lease. */
export async function endPause(account: string): Promise<void> {
  await db.execute(sql`delete from mail_account_pauses where account = ${account}`);
  read.delete(account);
  await db.execute(sql`
    with woken as (
      update mails set due_at = now() where id in (
        select id from mails where status = 'attempting' and account = ${account} and due_at > now() and turn_at is null
        order by priority, created_at limit ${WOKEN} for update skip locked)
      returning id)
    select ${notifying("due", MAILS)} from woken limit 1`);
}

/** Forgets what this process has read. */
export function forgetPauses(): void {
  read.clear();
}
