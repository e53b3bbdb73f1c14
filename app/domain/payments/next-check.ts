import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";

/** How long after its creation we go on asking about an unpaid charge by ourselves; a webhook counts at any time. */
const GIVE_UP_AFTER = 3 * DAY;

/** What decides when an unpaid charge is looked at again. `toldPaidAt`: when a webhook last called it paid. */
export type UnpaidCharge = { createdAt: Date; checks: number; toldPaidAt: Date | null };

/**
 * When to ask about an unpaid charge by ourselves the next time, having asked just now: after 2, 4, 8 minutes and so on, at
 * most six hours apart. Where the provider told us `paid` and does not say so yet, pauses begin anew with that news.
 * Null when there is nothing left to ask.
 */
export function nextCheck({ createdAt, checks, toldPaidAt }: UnpaidCharge, now: Date): Date | null {
  const since = (toldPaidAt ?? createdAt).getTime();
  const pause = toldPaidAt ? Math.max(now.getTime() - since, MINUTE) : 2 ** Math.min(checks + 1, 12) * MINUTE;
  const next = now.getTime() + Math.min(pause, 6 * HOUR);
  return next - since > GIVE_UP_AFTER ? null : new Date(next);
}
