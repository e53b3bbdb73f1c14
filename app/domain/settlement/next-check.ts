import type { ChargeStatus } from "#app/db/schema/lists.ts";
import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";

/** How long after its creation an unpaid charge is checked without a webhook. Webhooks count at any time. */
const MAX_CHECK_AGE = 3 * DAY;
/**
 * How long a payment or refund that a webhook announced is checked while the provider does not answer, and a card that it has not
 * decided.
 */
export const MAX_ANNOUNCED_AGE = 30 * DAY;

/**
 * When an unpaid charge is checked next: pauses are as long as the charge is old, from a minute to six hours, so that a
 * buyer who clicks often postpones nothing. Where a webhook said that it was paid (and perhaps refunded), and the provider has
 * not confirmed it yet, they restart from that webhook and last longer.
 * Null when no check is left.
 */
export function nextCheck(
  {
    status,
    createdAt,
    paymentAnnouncedAt,
  }: { status?: ChargeStatus; createdAt: Date; paymentAnnouncedAt: Date | null },
  now: Date,
): Date | null {
  const since = (paymentAnnouncedAt ?? createdAt).getTime();
  const next = now.getTime() + Math.min(Math.max(now.getTime() - since, MINUTE), 6 * HOUR);
  const isAwaited = paymentAnnouncedAt !== null || status === "unknown" || status === "in_review";
  return next - since > (isAwaited ? MAX_ANNOUNCED_AGE : MAX_CHECK_AGE) ? null : new Date(next);
}
