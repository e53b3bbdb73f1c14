import type { MailKind } from "#app/db/schema/mail-data.ts";
import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";

/** How long the link of such a mail works: whoever waited for one requested another. */
export const LINK_LIFETIMES: Partial<Record<MailKind, number>> = {
  "buyer-link": 30 * MINUTE,
  "confirm-email": 3 * DAY,
  "correct-email": DAY,
  "reset-password": HOUR,
};
