import type { MailKind } from "#app/db/schema/mail-data.ts";

/** Lower goes first, at each account and among all of them. */
const FIRST = 1;
const NEXT = 2;
const LAST = 3;
export const PRIORITIES = [FIRST, NEXT, LAST] as const;

/** The order of queued mails. What somebody paid for, or waits for at a screen, goes first. */
export const MAIL_PRIORITY = {
  purchase: FIRST,
  upsell: FIRST,
  access: FIRST,
  "access-links": FIRST,
  "buyer-link": FIRST,
  "confirm-email": FIRST,
  "correct-email": FIRST,
  "email-change": FIRST,
  "erasure-asked": FIRST,
  "reset-password": FIRST,
  // If somebody else made the change, the seller has to know soon.
  "security-notice": FIRST,
  "payment-news": LAST,
  pix: NEXT,
  "dispute-access": NEXT,
  "email-corrected": NEXT,
  refund: NEXT,
  "refund-news": NEXT,
  "destination-stopped": LAST,
  dispute: LAST,
  "failed-payment": LAST,
  "gateway-trouble": LAST,
  "mail-account-refused": LAST,
  "missing-file": LAST,
  "monthly-report": LAST,
  "new-sale": LAST,
  "observed-refund": LAST,
  "refund-asked": LAST,
  reminder: LAST,
  "shop-closed": LAST,
  "shop-reopened": LAST,
  surplus: LAST,
  "template-failed": LAST,
  "unconfirmed-refund": LAST,
  "unstamped-file": LAST,
  "weekly-report": LAST,
  "wrong-amount": LAST,
} as const satisfies Record<MailKind, (typeof PRIORITIES)[number]>;
