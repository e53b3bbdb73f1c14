import type { ChargeFactKind, ProviderFailure, SaleFactKind } from "#app/db/schema/lists.ts";

type Nothing = Record<string, never>;

/** What each kind of fact of a sale holds. Money in cents. */
export type SaleFacts = {
  placed: { via: "checkout" | "offer" };
  completed: Nothing;
  /** Why no payment came: the provider's kind of failure, or that it cancelled the code. */
  failed: { why: ProviderFailure | "cancelled" };
  reopened: Nothing;
  cancelled: Nothing;
  disputed: { disputeId: string };
  dispute_won: { disputeId: string };
  refunded: Nothing;
  /** Without an id where it was recorded before disputes had rows. */
  chargedback: { disputeId?: string };
  partly_refunded: { amountCents: number };
  /** `from`: the e-mail of before, masked, where that was corrected. */
  customer_edited: { from?: string };
  viewed: { what: "document" };
  downloaded: { lineId: string };
};

/** What each kind of fact of a charge holds. Money in cents, durations in milliseconds. */
export type ChargeFacts = {
  requested: Nothing;
  made: { tookMs: number };
  /** The provider's answer: our word for the state, and its own. */
  asked: { state: string; word: string; tookMs: number };
  unanswered: { why: ProviderFailure; detail: string; tookMs: number };
  paid: { amountCents: number; feeCents: number | null };
  surplus: { amountCents: number };
  mispaid: { amountCents: number; expectedCents: number };
  expired: Nothing;
  cancelled: Nothing;
  failed: { why: ProviderFailure; detail: string };
  refund_requested: { refundId: string; amountCents: number };
  refund_accepted: { refundId: string };
  refund_refused: { refundId: string; why: ProviderFailure; detail: string };
  refund_unconfirmed: { refundId: string };
  refund_done: { refundId: string; amountCents: number };
  /** Its seller does not want it any more, after the provider refused it. */
  refund_withdrawn: { refundId: string };
  /** Its seller says that the money did not go back: of a refund nobody confirmed, or of a payment called cancelled. */
  not_returned: { refundId?: string };
};

/** A fact of one kind with its data. */
export type SaleFact = { [K in SaleFactKind]: { kind: K; data: SaleFacts[K] } }[SaleFactKind];
export type ChargeFact = { [K in ChargeFactKind]: { kind: K; data: ChargeFacts[K] } }[ChargeFactKind];
