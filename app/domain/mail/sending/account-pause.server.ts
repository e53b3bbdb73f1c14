import { sql } from "drizzle-orm";
import { batch } from "#app/db/batcher.server.ts";
import { db } from "#app/db/client.server.ts";
import { notifyExpression } from "#app/db/notify.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { MAILS } from "#app/queue/names.ts";

/** The first pause of a refused account; each is twice the one before, up to the longest. */
const MIN_PAUSE = 30 * SECOND;
const MAX_PAUSE = 15 * MINUTE;
/** The lease of a trial of a paused account: longer than any call. */
const TRIAL_DURATION = MINUTE;
/** Mails made due by one statement once an account is accepted again. */
const WAKE_BATCH_SIZE = 500;
/** How long a process caches what it read. */
const CACHE_TTL = SECOND;

/** An account's state: `free`, or paused for this many milliseconds; at 0 or less one mail may be its trial. */
type AccountPause = "free" | { pausedForMs: number };
type CachedPause = { pause: AccountPause; readAt: number };

/** Cached by account: a working account costs a statement a second, not one a mail. */
const pauseCache = new Map<string, CachedPause>();

/** Whether an account is paused; stored in the database, so it holds for all processes. */
export async function findPause(account: string): Promise<AccountPause> {
  const now = performance.now();
  const cached = pauseCache.get(account);
  if (cached && now - cached.readAt < CACHE_TTL)
    return cached.pause === "free"
      ? "free"
      : { pausedForMs: cached.pause.pausedForMs - (now - cached.readAt) };
  const pause = await readPause(account);
  if (pauseCache.size > 1000) pauseCache.clear();
  pauseCache.set(account, { pause, readAt: performance.now() });
  return pause;
}

const readPause = batch<string, AccountPause>(50, async (accounts) => {
  const rows = await db.execute<{ account: string; remainingMs: number }>(sql`
    select account, ${pausedForSql} as "remainingMs" from mail_account_pauses
    where account in (select jsonb_array_elements_text(${JSON.stringify(accounts)}::text::jsonb))`);
  const paused = new Map(rows.map((row) => [row.account, row.remainingMs]));
  return accounts.map((account) => {
    const pausedForMs = paused.get(account);
    return pausedForMs === undefined ? "free" : { pausedForMs };
  });
});

const pausedForSql = sql`extract(epoch from paused_until - now())::float8 * 1000`;

/** Starts the one trial after a pause. @returns whether it is ours; if not, `findPause` returns how long to wait */
export async function beginTrial(account: string): Promise<boolean> {
  pauseCache.delete(account);
  const startedTrials = await db.execute(sql`
    update mail_account_pauses set paused_until = now() + make_interval(secs => ${TRIAL_DURATION / SECOND})
    where account = ${account} and paused_until <= now() returning account`);
  return startedTrials.length > 0;
}

/**
 * Records that an account refused a mail. Calls in flight at the same time count as one refusal: only the first, and the
 * trial after each pause, make the pause longer.
 * @returns for how many milliseconds nothing is sent by it, and whether this is the first refusal
 */
export async function pauseAccount(
  account: string,
  via: "platform" | "seller",
  isTrial: boolean,
): Promise<{ pausedForMs: number; isNew: boolean }> {
  const [row] = await db.execute<{ remainingMs: number; is_new: boolean }>(sql`
    insert into mail_account_pauses as p (account, via, refusals, paused_until)
    values (${account}, ${via}, 1, now() + make_interval(secs => ${MIN_PAUSE / SECOND}))
    on conflict (account) do update set (refusals, paused_until) = (
      select p.refusals + n, case n when 0 then p.paused_until else now() + make_interval(secs =>
        least(${MAX_PAUSE / SECOND}, ${MIN_PAUSE / SECOND} * 2 ^ least(p.refusals, 20))) end
      from (select case when ${isTrial} or p.paused_until <= now() then 1 else 0 end) as c(n))
    returning ${pausedForSql} as "remainingMs", (xmax = 0) as is_new`);
  pauseCache.delete(account);
  return { pausedForMs: Math.max(row!.remainingMs, SECOND), isNew: row!.is_new };
}

/** The account is accepted again: the first mails that wait for it are due now, the others when the trial's lease ends. */
export async function endPause(account: string): Promise<void> {
  await db.execute(sql`delete from mail_account_pauses where account = ${account}`);
  pauseCache.delete(account);
  await db.execute(sql`
    with woken as (
      update queued_mails set scheduled_at = now() where id in (
        select id from queued_mails where account = ${account} and scheduled_at > now() and slot_at is null
        order by priority, created_at limit ${WAKE_BATCH_SIZE} for update skip locked)
      returning id)
    select ${notifyExpression("due", MAILS)} from woken limit 1`);
}

/** Clears this process's cache. */
export function clearPauseCache(): void {
  pauseCache.clear();
}
