/** Stored values. The database's CHECK constraints and the types are both made from these lists, so they cannot differ. */

/**
 * A sale's states. The API also accepts `paid` for `completed`. `disputed`: the payer's bank contests the payment and has
 * not decided yet; `chargedback`: it took the money back.
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

/** How a charge is paid. */
export const CHARGE_METHODS = ["pix", "card"] as const;
export type ChargeMethod = (typeof CHARGE_METHODS)[number];

/**
 * A charge's states: `creating` until the provider answered; `open` is a payable PIX code; `mispaid`: paid with another amount
 * than requested; `failed`: the provider made no charge; `expired` and `cancelled`: ended, at the provider or by the clock, and
 * may be paid late. Of a card only: `unknown`: the answer was lost, so it may have been paid; `in_review`: not decided, by the
 * provider or by the buyer in a challenge; `declined`: it was not approved.
 */
export const CHARGE_STATUSES = [
  "creating",
  "open",
  "unknown",
  "in_review",
  "declined",
  "paid",
  "mispaid",
  "failed",
  "expired",
  "cancelled",
] as const;
export type ChargeStatus = (typeof CHARGE_STATUSES)[number];
/** The states of a card payment that is not decided: it may still be approved, so nothing else is charged for its sale. */
export const UNDECIDED_CARD = ["creating", "unknown", "in_review"] as const satisfies ChargeStatus[];

/**
 * Why a card payment was declined, by what its buyer can do about it. `challenge-required`: its bank demands a challenge, and there
 * was none; `challenge-failed`: the buyer refused it or did not pass it; `challenge-expired`: nobody answered it.
 */
export const DECLINE_REASONS = [
  "card-data",
  "limit",
  "issuer",
  "call-issuer",
  "card-disabled",
  "attempts",
  "instalments",
  "risk",
  "not-credit",
  "holder-data",
  "challenge-required",
  "challenge-failed",
  "challenge-expired",
  "other",
] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];

/**
 * A refund's states: `pending` from before the request to the provider until it confirms; `refused`: a definite no;
 * `unconfirmed`: we stopped waiting, it may have been done; `done`.
 */
export const REFUND_STATUSES = ["pending", "refused", "unconfirmed", "done"] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** How a refund came about: requested by us, recorded by the seller, or observed at the provider. */
export const REFUND_ORIGINS = ["requested", "automatic", "recorded", "observed"] as const;

/**
 * A dispute's states: `open` until the bank decides; `won`: the seller keeps the money; `lost`: the bank took it back;
 * `refunded`: the seller refunded it before that.
 */
export const DISPUTE_STATUSES = ["open", "won", "lost", "refunded"] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** How we learned of a dispute: from the provider, or from the seller. */
export const DISPUTE_ORIGINS = ["provider", "seller"] as const;
export type DisputeOrigin = (typeof DISPUTE_ORIGINS)[number];

/**
 * The evidence that a provider wants in a dispute: `needed`: none has arrived; `in_review`; `accepted` and `rejected`: what the
 * provider thinks of it; `missed`: none arrived before the deadline; `not_needed`.
 */
export const EVIDENCE_STATUSES = [
  "not_needed",
  "needed",
  "in_review",
  "accepted",
  "rejected",
  "missed",
] as const;
export type EvidenceStatus = (typeof EVIDENCE_STATUSES)[number];

/**
 * How buyers get to an offer: only by its own address (`link`); the product's checkout names it, too (`listed`); it is the
 * price of the product's checkout while it lasts (`tier`).
 */
export const OFFER_KINDS = ["link", "listed", "tier"] as const;
export type OfferKind = (typeof OFFER_KINDS)[number];

/** A buyer's refund request: a `right` within the time the law or the seller grants, a `question` later. */
export const REFUND_REQUEST_KINDS = ["right", "question"] as const;
export type RefundRequestKind = (typeof REFUND_REQUEST_KINDS)[number];

/** A seller's answers to a question. */
export const REFUND_ANSWERS = ["granted", "declined"] as const;
export type RefundAnswer = (typeof REFUND_ANSWERS)[number];

/** Who caused an event. */
export const CAUSES = ["buyer", "seller", "provider", "clock", "system"] as const;
export type Cause = (typeof CAUSES)[number];

/** The kinds of sale events. */
export const SALE_EVENTS = [
  "placed",
  "completed",
  "failed",
  "reopened",
  "cancelled",
  "disputed",
  "evidence_sent",
  "dispute_won",
  "refunded",
  "chargedback",
  "partly_refunded",
  "customer_edited",
  "viewed",
  "downloaded",
] as const;
export type SaleEventKind = (typeof SALE_EVENTS)[number];

/** The kinds of charge events. */
export const CHARGE_EVENTS = [
  "requested",
  "made",
  "asked",
  "unanswered",
  "in_review",
  "declined",
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
export type ChargeEventKind = (typeof CHARGE_EVENTS)[number];

/**
 * Why a provider request failed. `refused`: a definite no; `credentials`: the seller's key is wrong; `busy`: retry later;
 * `no-answer`: it may or may not have acted; `nonsense`: an answer that cannot be used. Of an unconfirmed refund `busy` says that its
 * provider lists it as open.
 */
export const PROVIDER_FAILURES = ["refused", "credentials", "busy", "no-answer", "nonsense"] as const;
export type ProviderFailure = (typeof PROVIDER_FAILURES)[number];

/** What a line of a provider's statement is about. `chargeback`: taken or blocked in a dispute, or given back after it. */
export const STATEMENT_KINDS = ["payment", "refund", "chargeback"] as const;

/**
 * What came to a seller's webhook address during a test of it, the worst first: about no payment; about another payment; of
 * the test's, with a signature that does not match; with one that does.
 */
export const WEBHOOK_ARRIVALS = ["other-topic", "other-payment", "wrong-signature", "verified"] as const;
export type WebhookArrival = (typeof WEBHOOK_ARRIVALS)[number];

/**
 * A transaction's states at a provider, by our names. `expired` and `cancelled` ones may be paid all the same; `disputed`:
 * paid, and contested by the payer's bank; `chargedback`: the bank took it back; `unclear`: an unknown state. Of a card only:
 * `in_review` and `declined`.
 */
export const TRANSACTION_STATES = [
  "open",
  "in_review",
  "declined",
  "paid",
  "expired",
  "cancelled",
  "disputed",
  "refunded",
  "chargedback",
  "unclear",
] as const;

/** Kinds of content: a file we store, a link elsewhere, or a text. */
export const CONTENT_KINDS = ["file", "link", "text"] as const;

/** Events for destinations, as their receivers see them. */
export const DELIVERY_EVENTS = [
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
export type DeliveryEvent = (typeof DELIVERY_EVENTS)[number];
/** Those that open a buyer's access and end it. */
export const ACCESS_EVENTS: DeliveryEvent[] = ["access.granted", "access.revoked"];

/**
 * How a delivery ends. `refused`: not accepted in any attempt; `too_late`: it became too old; `dropped`: not sent on
 * purpose.
 */
export const DELIVERY_END_STATUSES = ["sent", "refused", "too_late", "dropped"] as const;

/** Why a destination is stopped: by its seller, failing for days, reported gone by itself, or refusing our token. */
export const STOP_REASONS = ["seller", "failing", "gone", "token"] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** Where a buyer came from: the checkout's query string, first seen, decoded. */
export type Campaign = Partial<Record<string, string>>;

/**
 * The ad identifiers of a buyer's browser, as each platform wrote them: their cookies; `agent` is the user agent.
 * `gaSessions` by the end of the cookie's name. `kinds`: the kinds of advertisers that the buyer consented to; missing in sales
 * from before they were stored: all.
 */
export type AdIds = {
  kinds?: string[];
  agent?: string;
  fbp?: string;
  fbc?: string;
  ga?: string;
  gaSessions?: Record<string, string>;
  ttp?: string;
};
