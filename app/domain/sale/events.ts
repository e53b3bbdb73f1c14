import type { ChargeEventKind, DeclineReason, ProviderFailure, SaleEventKind } from "#app/db/schema/lists.ts";

type NoData = Record<string, never>;

/**
 * Why an overpayment is refunded automatically: codes of two providers were paid, of which fail-over requested one, or its
 * seller chose so.
 */
export type AutomaticRefundReason = "fail-over" | "setting";

/** The data of each kind of sale event. Money in cents. */
export type SaleEventData = {
  placed: { via: "checkout" | "offer" };
  completed: NoData;
  /** The provider's kind of failure, or that it cancelled the code. */
  failed: { why: ProviderFailure | "cancelled" };
  reopened: NoData;
  cancelled: NoData;
  disputed: { disputeId: string };
  /** The evidence arrived at the provider. */
  evidence_sent: { disputeId: string };
  dispute_won: { disputeId: string };
  refunded: NoData;
  /** No id in events from before disputes had rows. */
  chargedback: { disputeId?: string };
  partly_refunded: { amountCents: number };
  /** `from`: the previous e-mail, masked, where it was corrected. `given`: there was none. */
  customer_edited: { from?: string; given?: true };
  viewed: { what: "document" };
  downloaded: { lineId: string };
};

/** The data of each kind of charge event. Money in cents, durations in milliseconds. */
export type ChargeEventData = {
  /** `insteadOf`: the provider, with its article, whose account created no code, or was not tried since it created none. */
  requested: { insteadOf?: string | null };
  made: { tookMs: number };
  /** The provider's answer: our name of the state, `challenged` where a card's bank waits for the buyer, and its own. */
  asked: { state: string; word: string; tookMs: number };
  unanswered: { why: ProviderFailure; detail: string; tookMs: number };
  /** `challenged`: until the buyer answers the challenge of the card's bank. */
  in_review: { state?: "challenged" };
  /** `detail`: the provider's own word. */
  declined: { reason: DeclineReason; detail: string };
  paid: { amountCents: number; feeCents: number | null };
  surplus: { amountCents: number };
  mispaid: { amountCents: number; expectedCents: number };
  expired: NoData;
  cancelled: NoData;
  failed: { why: ProviderFailure; detail: string };
  /** `reason`: of an automatic one. */
  refund_requested: { refundId: string; amountCents: number; reason?: AutomaticRefundReason };
  refund_accepted: { refundId: string };
  refund_refused: { refundId: string; why: ProviderFailure; detail: string };
  refund_unconfirmed: { refundId: string };
  refund_done: { refundId: string; amountCents: number };
  /** Withdrawn by its seller after the provider refused it. */
  refund_withdrawn: { refundId: string };
  /**
   * Its seller reports that the money was not refunded: of an unconfirmed refund, or of a payment that the provider
   * calls cancelled.
   */
  not_returned: { refundId?: string };
};

/** A sale event of one kind with its data. */
export type SaleEvent = { [K in SaleEventKind]: { kind: K; data: SaleEventData[K] } }[SaleEventKind];
export type ChargeEvent = { [K in ChargeEventKind]: { kind: K; data: ChargeEventData[K] } }[ChargeEventKind];

/** Why an automatic refund ended without being sent to its provider. */
export const UNSENT_REFUND = {
  noGateway: "A conexão com o provedor deste pagamento não existe mais. Informe a API Key em Configurações.",
  heldUp: "O reembolso não chegou a ser enviado ao provedor. Tente de novo.",
  returned: "Parte do valor já tinha sido devolvida, e por isso nada foi pedido ao provedor.",
};

/** Whether a refund ended for one of these reasons: no provider refused it. */
export function isUnsentRefund(detail: string): boolean {
  return Object.values(UNSENT_REFUND).includes(detail);
}
