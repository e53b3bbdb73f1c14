import { sql } from "drizzle-orm";
import { batch } from "#app/db/batcher.server.ts";
import { db } from "#app/db/client.server.ts";
import { SECOND } from "#app/kit/duration.ts";

/** Before an account's first answer: Resend allows a team 5 requests a second, or more on request. */
const DEFAULT_INTERVAL = 0.3 * SECOND;
/** Calls get closer together on their way, and a busy process sends some late: a tenth fewer than allowed, or one. */
const intervalFor = (limit: number) => Math.max(5, (1.1 * SECOND) / limit, SECOND / Math.max(1, limit - 1));

/** For how long calls are gathered for one statement (ms). */
const GROUP_WAIT = 20;

/** When an account may be called, by the database's clock, and in how many milliseconds that is. */
export type Slot = { at: Date; waitMs: number };

/** The interval of each account's calls as last known to this process (ms). */
const knownIntervals = new Map<string, number>();

/**
 * Reserves an account's next slot. Slots are stored in the database, so one pace holds for all processes. Concurrent calls
 * share a statement.
 */
export const reserveSlot = batch<string, Slot>(50, reserveSlots, { concurrency: 1, waitMs: GROUP_WAIT });

/**
 * The next slot of a pace `p`. One that is minutes ahead, and twice further than the mails that wait for the account explain, was
 * reserved while the database's clock was ahead, or by mails that are gone.
 */
const EXPLAINED_SLOT = sql`case when p.next_slot_at <= now() + interval '10 minutes' then p.next_slot_at
  else least(p.next_slot_at, now() + interval '1 minute' + 2 * p.interval_ms * interval '1 millisecond'
    * (select count(*) from queued_mails q where q.account = p.account)) end`;

async function reserveSlots(accounts: string[]): Promise<Slot[]> {
  const slotCounts = new Map<string, number>();
  for (const account of accounts) slotCounts.set(account, (slotCounts.get(account) ?? 0) + 1);
  // Always in the same order, so that two processes never deadlock.
  const rows = [...slotCounts].sort().map(([account, slots]) => ({ account, slots }));
  const reserved = await db.execute<{ account: string; next: number; apart: number; now: number }>(sql`
    insert into mail_paces as p (account, next_slot_at, interval_ms)
    select account, now() + slots * ${DEFAULT_INTERVAL}::int * interval '1 millisecond', ${DEFAULT_INTERVAL}::int
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(account text, slots int)
    on conflict (account) do update set next_slot_at = greatest(now(), ${EXPLAINED_SLOT})
      + (select r.slots from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(account text, slots int)
        where r.account = excluded.account) * p.interval_ms * interval '1 millisecond'
    returning account, interval_ms as apart, extract(epoch from next_slot_at)::float8 * 1000 as next,
      extract(epoch from now())::float8 * 1000 as now`);
  const nextSlots = new Map(
    reserved.map(({ account, next, apart, now }) => {
      knownIntervals.set(account, apart);
      return [account, { at: next - slotCounts.get(account)! * apart, apart, now }];
    }),
  );
  clearOldIntervals();
  return accounts.map((account) => {
    const { at, apart, now } = nextSlots.get(account)!;
    nextSlots.set(account, { at: at + apart, apart, now });
    return { at: new Date(at), waitMs: Math.max(0, at - now) };
  });
}

/**
 * Adapts the pace to an account's answers: nearly its limit per second, and nothing before the next second if none is left
 * of this one. Resend's headers: `ratelimit-limit`, `-remaining` and `-reset` (seconds).
 */
export async function recordPace(account: string, headers: Record<string, string> | null): Promise<void> {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) =>
    Number(headers?.[`ratelimit-${name}`] ?? Number.NaN),
  ) as [number, number, number];
  if (!(limit > 0)) return;
  const intervalMs = Math.ceil(intervalFor(limit));
  const wait = remaining === 0 ? Math.min(reset || 0, 10) : 0;
  if (wait === 0 && knownIntervals.get(account) === intervalMs) return;
  await db.execute(sql`
    insert into mail_paces as p (account, next_slot_at, interval_ms)
    values (${account}, now() + make_interval(secs => ${wait}), ${intervalMs})
    on conflict (account) do update set interval_ms = excluded.interval_ms,
      next_slot_at = greatest(p.next_slot_at, excluded.next_slot_at)`);
  knownIntervals.set(account, intervalMs);
}

function clearOldIntervals() {
  if (knownIntervals.size > 1000) knownIntervals.clear();
}
