import type { EvidenceStatus, ProviderFailure } from "#app/db/schema/lists.ts";

/** A mail as it is sent, frozen before the first attempt so that every attempt is the same. */
export type FrozenMail = {
  from: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  replyTo?: string;
  headers?: Record<string, string>;
  /** `content` in base64; `contentId` is what `cid:` in the HTML references. */
  attachments?: { filename: string; content: string; contentType: string; contentId: string }[];
  /** Why it is not sent by the seller's own account. Of the row, not of what is sent. */
  note?: string;
};

/**
 * What a mail about a sale needs beside the sale itself: the mail is rendered when it is sent, so that settlement parses no
 * text that a seller or a buyer typed. Times are ISO text, money is cents.
 */
export type MailData = {
  purchase: { paidAt: string; isFree?: boolean };
  upsell: { paidAt: string; isFree?: boolean };
  /**
   * `isByPlatform`: its seller's account could not send an earlier one; `isFree`: of a free order, to an address that somebody typed
   * as its correction.
   */
  access: { paidAt: string; isByPlatform?: boolean; isFree?: boolean };
  "new-sale": { paidAt: string; isFree?: boolean };
  pix: PendingPix;
  reminder: PendingPix & { number: number };
  /**
   * `isRecorded`: only the seller reports it; `isRejected`: after it was accepted. Both are missing in older rows. `restCents`: what
   * went back with it, where parts had before.
   */
  refund: { isRecorded?: boolean; restCents?: number };
  "payment-news": PaymentMailData;
  surplus: OverpaymentMailData;
  /**
   * `provider`: whose key was refused; missing in older rows, and where something else failed. `isCard`: a card failed, so that the mail
   * names what the order costs with one; missing where it was a PIX.
   */
  "failed-payment": { why: ProviderFailure | "cancelled"; detail: string; provider?: string; isCard?: true };
  /** `disputed`: when it was, or that its bank rejected the dispute; `returnedCents`: what was refunded before it was booked. */
  "wrong-amount": {
    amountCents: number;
    expectedCents?: number;
    returnedCents?: number;
    disputed?: "at-once" | "later" | "rejected";
  };
  "unconfirmed-refund": { amountCents: number; requestedAt: string; isRejected?: boolean };
  "observed-refund": ObservedRefundData;
  "shop-closed": { closedAt: string };
  "shop-reopened": { closedAt: string };
  dispute: DisputeMailData;
  /** `restored`: by the seller, while the dispute is open. */
  "dispute-access": {
    what: "opened" | "won" | "lost" | "restored";
    amountCents: number;
    isRecorded?: boolean;
  };
};

/**
 * A card declined later, an overpayment, an amount mismatch, its refund, or a partial refund: no purchase changes. `at`: when.
 * `expectedCents`: the amount of the code, which the price by card may exceed; missing in older rows. `isUnconfirmed`: accepted,
 * and perhaps made.
 */
export type PaymentMailData = { amountCents: number; at: string } & (
  | ({ what: "overpaid"; isRefundRequested?: boolean } & OverpaymentFacts)
  | { what: "mismatched"; expectedCents?: number; isDisputed?: boolean }
  | { what: "card-declined" }
  | { what: "refund-failed"; isUnconfirmed?: boolean }
  | { what: "returned"; isMismatch: boolean; paidAt: string; leftCents: number; isRecorded: boolean }
  | { what: "part-returned"; isRecorded: boolean }
);

/**
 * A refund that was found at the provider. `never-given`: found together with its payment. `heldCents`: what the sale's other
 * payments hold where the one that counts went back.
 */
export type ObservedRefundData = {
  amountCents: number;
  access: "ended" | "part-returned" | "never-given" | "not-counted";
  heldCents?: number;
};

/** A PIX that is not paid yet, as its mail shows it. `notice` is what the provider obliges the seller to state. */
export type PendingPix = { pixCode: string; expiresAt: string | null; notice: string | null };

/** A mail rendered when it is sent. */
export type RenderedMailKind = keyof MailData;

/** A mail written when it is queued: it uses no template, and some contain a link whose secret is stored nowhere else. */
export type PrewrittenMailKind =
  | "access-links"
  | "buyer-link"
  | "confirm-email"
  | "correct-email"
  | "destination-stopped"
  | "email-change"
  | "email-corrected"
  | "erasure-asked"
  | "gateway-trouble"
  | "mail-account-refused"
  | "missing-file"
  | "monthly-report"
  | "refund-asked"
  | "refund-news"
  | "reset-password"
  | "security-notice"
  | "template-failed"
  | "unstamped-file"
  | "weekly-report";

/** Every kind of mail. */
export type MailKind = RenderedMailKind | PrewrittenMailKind;

/** What a mail says of a dispute. The rest is missing in older rows, and where it is not known. */
export type DisputeMailData = {
  what: "opened" | "won" | "lost";
  amountCents: number;
  suspends: boolean;
  isCard?: boolean;
  evidence?: EvidenceStatus | null;
  evidenceDueAt?: string | null;
  isRefundedBefore?: boolean | undefined;
};

/**
 * What the seller's mail about an overpayment says. `refund`: the automatic one, missing where its seller decides; `failure`: why
 * it was not made, as text for the seller. `isDisputedLater`: after its first mail.
 */
export type OverpaymentMailData = OverpaymentFacts & {
  amountCents: number;
  isDisputedLater?: true;
  refund?: { state: "requested"; reason: "fail-over" | "setting" } | { state: "refused"; failure: string };
};

/**
 * `isDisputed`: at the bank of who paid, which decides. `isDisputeRejected` by it. `isFirstReturned`: the payment that counted had
 * been given back before. They are missing where they are not so.
 */
type OverpaymentFacts = { isDisputed?: true; isDisputeRejected?: true; isFirstReturned?: true };
