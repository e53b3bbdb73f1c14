import { SECOND } from "#app/kit/duration.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/** Before an account's first answer: Resend takes 5 requests a second from a team, or more where it was asked to. */
const APART = 0.3 * SECOND;

/** When an account may ask next, and how far apart (ms). */
type Pace = { next: number; apart: number };

const paces = new Map<string, Pace>();

/** Waits for an account's next turn in this process. What other processes take of its limit is told by its answers. */
export async function takeTurn(apiKey: string): Promise<void> {
  const pace = paceOf(apiKey);
  const now = Date.now();
  const turn = Math.max(now, pace.next);
  pace.next = turn + pace.apart;
  if (turn > now) await new Promise((resolve) => setTimeout(resolve, turn - now));
}

/**
 * Goes as fast as an account's answers allow: as many a second as it says, and none before the next second where it says
 * that nothing is left of this one. Source: contracts.md 3.2, `ratelimit-limit`, `-remaining` and `-reset` (seconds).
 */
export function notePace(apiKey: string, headers: Record<string, string> | null): void {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) =>
    Number(headers?.[`ratelimit-${name}`] ?? Number.NaN),
  ) as [number, number, number];
  if (!(limit > 0)) return;
  const pace = paceOf(apiKey);
  pace.apart = Math.max(10, SECOND / limit);
  if (remaining === 0 && reset > 0)
    pace.next = Math.max(pace.next, Date.now() + Math.min(reset, 10) * SECOND);
}

function paceOf(apiKey: string): Pace {
  const account = hashToken(apiKey);
  const found = paces.get(account) ?? { next: 0, apart: APART };
  paces.set(account, found);
  const now = Date.now();
  if (paces.size > 1000)
    for (const [key, { next }] of paces) if (next < now && key !== account) paces.delete(key);
  return found;
}
