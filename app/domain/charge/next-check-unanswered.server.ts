import { MAX_ANNOUNCED_AGE } from "#app/domain/charge/check-times.server.ts";
import { HOUR, MINUTE } from "#app/kit/duration.ts";

/**
 * When an unpaid charge whose last check got no answer is checked once more; null where it is too old. The buyer of one that a
 * webhook announced as paid waits, and the provider may answer again at any moment.
 * @param planned when it would be checked after an answer; null: no more
 */
export function nextCheckUnanswered(
  { createdAt, paymentAnnouncedAt }: { createdAt: Date; paymentAnnouncedAt: Date | null },
  now: Date,
  planned: Date | null,
): Date | null {
  const at = now.getTime();
  if (planned === null) return at - createdAt.getTime() > MAX_ANNOUNCED_AGE ? null : new Date(at + 6 * HOUR);
  if (paymentAnnouncedAt === null) return planned;
  const pause = Math.max(15 * MINUTE, (at - paymentAnnouncedAt.getTime()) / 12);
  return new Date(Math.min(planned.getTime(), at + Math.round(pause)));
}
