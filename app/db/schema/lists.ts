/**
 * The words the books are kept in. The database's CHECK constraints and the types are made from these lists, so neither
 * knows a word the other does not.
 */

/**
 * A sale's states. `paid` is read as `completed` at the API. `disputed`: the payer's bank contests the payment and has not
 * decided yet; `chargedback`: it took the money back.
 */
export const SALE_STATUSES = [
  "pending",
  "completed",
  "failed",
  "cancelled",
  "disputed",
  "refunded",
  "chargedback",
] as const;
export type SaleStatus = (typeof SALE_STATUSES)[number];

/**
 * A charge's states: `creating` until the provider answered; `open` is payable; `mispaid`: paid with another amount than
 * asked for; `failed`: the provider made no code; `expired` and `cancelled`: ended at the provider, and may be paid late.
 */
export const CHARGE_STATUSES = [
  "creating",
  "open",
  "paid",
  "mispaid",
  "failed",
  "expired",
  "cancelled",
] as const;
export type ChargeStatus = (typeof CHARGE_STATUSES)[number];

/**
 * A refund's states: `pending` from before the provider is asked until it confirms; `refused`: a definite no;
 * `unconfirmed`: we stopped waiting, it may have been done; `done`.
 */
export const REFUND_STATUSES = ["pending", "refused", "unconfirmed", "done"] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** How a refund came about: asked of the provider by us, noted by the seller, or seen at the provider without our asking. */
export const REFUND_ORIGINS = ["requested", "recorded", "observed"] as const;

/**
 * A dispute's states: `open` until the bank decides; `won`: the money stays; `lost`: the bank took it back; `refunded`: the
 * seller gave it back before that.
 */
export const DISPUTE_STATUSES = ["open", "won", "lost", "refunded"] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** How we learned of a dispute: the provider said so, or the seller entered it. */
export const DISPUTE_ORIGINS = ["provider", "seller"] as const;
export type DisputeOrigin = (typeof DISPUTE_ORIGINS)[number];

/** A buyer's request for money back: within the time the law or the seller gives it is a `right`, later a `question`. */
export const REFUND_REQUEST_KINDS = ["right", "question"] as const;
export type RefundRequestKind = (typeof REFUND_REQUEST_KINDS)[number];

/** What a seller answers to a question. */
export const REFUND_ANSWERS = ["granted", "declined"] as const;
export type RefundAnswer = (typeof REFUND_ANSWERS)[number];

/** Who caused a fact. */
export const CAUSES = ["buyer", "seller", "provider", "clock", "system"] as const;
export type Cause = (typeof CAUSES)[number];

/** What can be known of a sale. */
export const SALE_FACTS = [
  "placed",
  "completed",
  "failed",
  "reopened",
  "cancelled",
  "disputed",
  "dispute_won",
  "refunded",
  "chargedback",
  "partly_refunded",
  "customer_edited",
  "viewed",
  "downloaded",
] as const;
export type SaleFactKind = (typeof SALE_FACTS)[number];

/** What can be known of a charge. */
export const CHARGE_FACTS = [
  "requested",
  "made",
  "asked",
  "unanswered",
  "paid",
  "surplus",
  "mispaid",
  "expired",
  "cancelled",
  "failed",
  "refund_requested",
  "refund_accepted",
  "refund_refused",
  "refund_unconfirmed",
  "refund_done",
  "refund_withdrawn",
  "not_returned",
] as const;
export type ChargeFactKind = (typeof CHARGE_FACTS)[number];

/**
 * Why a provider did not do what it was asked. `refused`: a definite no; `credentials`: the seller's key is wrong; `busy`:
 * try later; `no-answer`: it may or may not have acted; `nonsense`: an answer that cannot be used.
 */
export const PROVIDER_FAILURES = ["refused", "credentials", "busy", "no-answer", "nonsense"] as const;
export type ProviderFailure = (typeof PROVIDER_FAILURES)[number];

/**
 * What a provider says of a transaction, in our words. What is `expired` or `cancelled` may be paid all the same;
 * `disputed`: paid, and contested by the payer's bank; `chargedback`: the bank took it back; `unclear`: a word we do not know.
 */
export const TRANSACTION_STATES = [
  "open",
  "paid",
  "expired",
  "cancelled",
  "disputed",
  "refunded",
  "chargedback",
  "unclear",
] as const;

/** What a buyer gets: a file we keep, an address elsewhere, or a text. */
export const CONTENT_KINDS = ["file", "link", "text"] as const;

/** What can be told to somebody outside, as it is called there too. */
export const NEWS_EVENTS = [
  "checkout.started",
  "pix.generated",
  "pix.expired",
  "sale.paid",
  "sale.refused",
  "refund.requested",
  "sale.partially_refunded",
  "sale.refunded",
  "sale.disputed",
  "sale.dispute_won",
  "sale.chargedback",
  "access.granted",
  "access.revoked",
] as const;
export type NewsEvent = (typeof NEWS_EVENTS)[number];

/** Those who sold the ad that a buyer came by. */
export const PIXEL_KINDS = ["meta", "ga4", "tiktok", "kwai"] as const;
export type PixelKind = (typeof PIXEL_KINDS)[number];

/** Where sellers teach: services that open what was bought to an e-mail. */
export const MEMBER_KINDS = ["cademi", "memberkit"] as const;
export type MemberKind = (typeof MEMBER_KINDS)[number];

/** The kinds of destinations, each a folder of `domain/outbox`. */
export const DESTINATION_KINDS = ["webhook", ...PIXEL_KINDS, ...MEMBER_KINDS, "utmify"] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

/**
 * How telling ends. `refused`: they would not hear it, in as many tries as there are; `too_late`: it had become too old;
 * `dropped`: not told on purpose.
 */
export const NEWS_ENDS = ["sent", "refused", "too_late", "dropped"] as const;

/**
 * Why a destination is told nothing: its seller said so, nothing got there for days, it said that it is gone, or it takes
 * our token no more.
 */
export const STOP_REASONS = ["seller", "failing", "gone", "token"] as const;
export type StopReason = (typeof STOP_REASONS)[number];
