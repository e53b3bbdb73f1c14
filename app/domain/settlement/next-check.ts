import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";

/** How long after its creation we go on asking about an unpaid charge by ourselves; a webhook counts at any time. */
const GIVE_UP_AFTER = 3 * DAY;

/**
 * When to ask about an unpaid charge by ourselves the next time: pauses are as long as the charge is old, from a minute
 * to six hours, so that a buyer who presses the button often postpones nothing. Where the provider told us `paid` and
 * does not say so yet, they begin anew with that news. Null when there is nothing left to ask.
 */
export function nextCheck(
  { createdAt, toldPaidAt }: { createdAt: Date; toldPaidAt: Date | null },
  now: Date,
): Date | null {
  const since = (toldPaidAt ?? createdAt).getTime();
  const next = now.getTime() + Math.min(Math.max(now.getTime() - since, MINUTE), 6 * HOUR);
  return next - since > GIVE_UP_AFTER ? null : new Date(next);
}
