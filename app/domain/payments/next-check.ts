import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";

/** How long after its creation we go on asking about an unpaid charge by ourselves; a webhook counts at any time. */
const GIVE_UP_AFTER = 3 * DAY;

/**
 * When to ask about an unpaid charge by ourselves the next time: after 2, 4, 8 minutes and so on, at most six hours
 * apart. Null when there is nothing left to ask.
 */
export function nextCheck(createdAt: Date, checks: number, now: Date): Date | null {
  const pause = Math.min(2 ** Math.min(checks, 12) * MINUTE, 6 * HOUR);
  const next = new Date(now.getTime() + pause);
  return next.getTime() - createdAt.getTime() > GIVE_UP_AFTER ? null : next;
}
