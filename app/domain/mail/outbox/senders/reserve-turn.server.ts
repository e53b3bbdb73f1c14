import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { inGroups } from "#app/db/in-groups.server.ts";
import { SECOND } from "#app/kit/duration.ts";

/** Before an account's first answer: Resend takes 5 requests a second from a team, or more where it was asked to. */
const APART = 0.3 * SECOND;
/** Calls come closer together on their way, and a busy process makes some late: a tenth fewer than allowed, or one. */
const apartAt = (limit: number) => Math.max(5, (1.1 * SECOND) / limit, SECOND / Math.max(1, limit - 1));

/** When an account may be called, by the database's clock, and in how many milliseconds that is. */
export type Turn = { at: Date; in: number };

/** How far apart each account's calls were when this process last heard of it (ms). */
const known = new Map<string, number>();

/**
 * Reserves an account's next turn: one pace for all processes, since it stands in the database. Calls at once share a
 * statement.
 */
export const reserveTurn = inGroups<string, Turn>(50, reserve, { atOnce: 1, gather: 20 });

async function reserve(accounts: string[]): Promise<Turn[]> {
  const wanted = new Map<string, number>();
  for (const account of accounts) wanted.set(account, (wanted.get(account) ?? 0) + 1);
  // One order, whoever writes: two processes never wait for each other.
  const rows = [...wanted].sort().map(([account, turns]) => ({ account, turns }));
  const reserved = await db.execute<{ account: string; next: number; apart: number; now: number }>(sql`
    insert into mail_paces as p (account, next_at, apart_ms)
    select account, now() + turns * ${APART}::int * interval '1 millisecond', ${APART}::int
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(account text, turns int)
    on conflict (account) do update set next_at = greatest(p.next_at, now())
      + (select r.turns from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(account text, turns int)
        where r.account = excluded.account) * p.apart_ms * interval '1 millisecond'
    returning account, apart_ms as apart, extract(epoch from next_at)::float8 * 1000 as next,
      extract(epoch from now())::float8 * 1000 as now`);
  const first = new Map(
    reserved.map(({ account, next, apart, now }) => {
      known.set(account, apart);
      return [account, { at: next - wanted.get(account)! * apart, apart, now }];
    }),
  );
  forgetOld();
  return accounts.map((account) => {
    const { at, apart, now } = first.get(account)!;
    first.set(account, { at: at + apart, apart, now });
    return { at: new Date(at), in: Math.max(0, at - now) };
  });
}

/**
 * Goes as fast as an account's answers allow: nearly as many a second as it says, and none before the next second where it
 * says that nothing is left of this one. Source: contracts.md 3.2, `ratelimit-limit`, `-remaining` and `-reset` (seconds).
 */
export async function notePace(account: string, headers: Record<string, string> | null): Promise<void> {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) =>
    Number(headers?.[`ratelimit-${name}`] ?? Number.NaN),
  ) as [number, number, number];
  if (!(limit > 0)) return;
  const apart = Math.ceil(apartAt(limit));
  const wait = remaining === 0 && reset > 0 ? Math.min(reset, 10) : 0;
  if (wait === 0 && known.get(account) === apart) return;
  await db.execute(sql`
    insert into mail_paces as p (account, next_at, apart_ms)
    values (${account}, now() + make_interval(secs => ${wait}), ${apart})
    on conflict (account) do update set apart_ms = excluded.apart_ms,
      next_at = greatest(p.next_at, excluded.next_at)`);
  known.set(account, apart);
}

function forgetOld() {
  if (known.size > 1000) known.clear();
}
