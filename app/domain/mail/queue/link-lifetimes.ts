import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";

/** How long the link of such a mail works after it is queued. Later it is not sent: whoever waited for it requested another. */
export const LINK_LIFETIMES = {
  "buyer-link": 30 * MINUTE,
  "confirm-email": 3 * DAY,
  "correct-email": DAY,
  "reset-password": HOUR,
};

/** When the link of a mail ends that is queued now. */
export function linkEnd(kind: keyof typeof LINK_LIFETIMES): Date {
  return new Date(Date.now() + LINK_LIFETIMES[kind]);
}
