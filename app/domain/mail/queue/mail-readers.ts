import type { MailKind } from "#app/db/schema/mail-data.ts";

/**
 * Who reads a mail. `buyer`: the buyer of its sale, also after their e-mail was corrected; `seller`, also after they changed
 * theirs; `address`: whoever has this very address. Every kind of mail must be classified here.
 */
export const MAIL_READER = {
  purchase: "buyer",
  upsell: "buyer",
  access: "buyer",
  pix: "buyer",
  reminder: "buyer",
  refund: "buyer",
  "payment-news": "buyer",
  "refund-news": "buyer",
  "dispute-access": "buyer",
  "shop-closed": "buyer",
  "shop-reopened": "buyer",
  "access-links": "address",
  "buyer-link": "address",
  "confirm-email": "address",
  "correct-email": "address",
  "email-change": "address",
  "email-corrected": "address",
  "erasure-asked": "address",
  "reset-password": "address",
  "security-notice": "address",
  "destination-stopped": "seller",
  dispute: "seller",
  "failed-payment": "seller",
  "gateway-trouble": "seller",
  "mail-account-refused": "seller",
  "missing-file": "seller",
  "monthly-report": "seller",
  "new-sale": "seller",
  "observed-refund": "seller",
  "refund-asked": "seller",
  surplus: "seller",
  "template-failed": "seller",
  "unconfirmed-refund": "seller",
  "unstamped-file": "seller",
  "weekly-report": "seller",
  "wrong-amount": "seller",
} as const satisfies Record<MailKind, "buyer" | "seller" | "address">;

/** A mail about a sale to its buyer. */
export type BuyerMailKind = {
  [K in MailKind]: (typeof MAIL_READER)[K] extends "buyer" ? K : never;
}[MailKind];
const MAIL_KINDS = Object.keys(MAIL_READER) as MailKind[];
export const BUYER_MAIL_KINDS = MAIL_KINDS.filter(
  (kind): kind is BuyerMailKind => MAIL_READER[kind] === "buyer",
);
export const SELLER_MAIL_KINDS = MAIL_KINDS.filter((kind) => MAIL_READER[kind] === "seller");
