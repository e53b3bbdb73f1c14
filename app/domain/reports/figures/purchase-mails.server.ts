import { sql } from "drizzle-orm";
import type { MailKind } from "#app/db/schema/mail-data.ts";

/** Whether a mail gives a buyer access to a purchase. Every kind of mail must be classified here. */
const DELIVERS_PURCHASE: Record<MailKind, boolean> = {
  purchase: true,
  upsell: true,
  access: true,
  "access-links": false,
  "buyer-link": false,
  "confirm-email": false,
  "correct-email": false,
  dispute: false,
  "dispute-access": false,
  "email-change": false,
  "email-corrected": false,
  "erasure-asked": false,
  "failed-payment": false,
  "gateway-trouble": false,
  "mail-account-refused": false,
  "missing-file": false,
  "monthly-report": false,
  "new-sale": false,
  "observed-refund": false,
  "payment-news": false,
  pix: false,
  refund: false,
  "refund-asked": false,
  "refund-news": false,
  reminder: false,
  "reset-password": false,
  "security-notice": false,
  "shop-closed": false,
  "shop-reopened": false,
  surplus: false,
  "destination-stopped": false,
  "template-failed": false,
  "unconfirmed-refund": false,
  "unstamped-file": false,
  "weekly-report": false,
  "wrong-amount": false,
};

/** The mails that count as deliveries. The marks' trigger covers more, which does no harm. */
export const isPurchaseMailSql = sql.raw(
  `(mails.sale_id is not null and mails.kind in (${Object.entries(DELIVERS_PURCHASE)
    .filter(([, delivers]) => delivers)
    .map(([kind]) => `'${kind}'`)
    .join(", ")}))`,
);
