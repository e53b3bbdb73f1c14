import type { ChargeStatus, REFUND_ORIGINS, RefundStatus, SaleStatus } from "#app/db/schema/lists.ts";
import { isBooked } from "#app/domain/sale/states.ts";
import { formatMoney } from "#app/kit/money.ts";

/** A refund with what the state of its payment depends on. Money in cents. */
export type KnownRefund = {
  status: RefundStatus;
  /** `recorded`: its seller reported it, and nobody else confirmed it. */
  origin: (typeof REFUND_ORIGINS)[number];
  amountCents: number;
  requestedAt: Date;
  /** When the provider accepted it; null while unanswered. */
  acceptedAt: Date | null;
  /** When it was done or refused, or became unconfirmed. */
  endedAt: Date | null;
  /** When its seller dismissed it. */
  dismissedAt: Date | null;
  /** Whether it is an automatic one that is sent to its provider later. */
  isUnsent?: boolean;
};

/** A charge with what its payment depends on. Money in cents; `amountCents` was to be paid. */
export type PaidCharge = {
  id: string;
  status: ChargeStatus;
  paidAt: Date | null;
  amountCents: number;
  paidCents: number | null;
  feeCents: number | null;
  overpaidAt: Date | null;
  /** Of one that does not count: whether its provider last called it disputed. */
  isDisputed?: boolean;
  /** Of a card: see `CardPlan`. */
  instalments?: number | null;
  buyerCents?: number | null;
  /** In the order of request. */
  refunds: KnownRefund[];
};

/**
 * A sale with what its payments depend on; its fee and refunds count only where no charge of ours was paid. Money in
 * cents.
 */
export type PaidSale = {
  status: SaleStatus;
  amountCents: number;
  completedAt: Date | null;
  feeCents: number | null;
  refundedCents: number;
  charges: PaidCharge[];
};

/** `counts`: completed its sale; `overpayment`: arrived after that one; `amount-mismatch`: not the charge's amount. */
export type PaymentKind = "counts" | "overpayment" | "amount-mismatch";

/**
 * The refund state of a payment. `requested`: not yet accepted by the provider; `accepted` by it; `refused` by it;
 * `unconfirmed`: we stopped waiting; `part` of it or all of it (`done`) is refunded; `contested`: charged back by the
 * payer's bank.
 */
export type RefundState =
  | "none"
  | "requested"
  | "accepted"
  | "refused"
  | "unconfirmed"
  | "part"
  | "done"
  | "contested";

/** How a buyer pays a card: the number of instalments, and what they pay in all, with the provider's interest. In cents. */
export type CardPlan = { instalments: number; buyerCents: number };

/** A payment of a sale: received less refunded less fee is net. In cents. */
export type Payment = {
  /** Null where the sale was booked without a charge of ours. */
  chargeId: string | null;
  kind: PaymentKind;
  /** Null where it is no card. */
  card: CardPlan | null;
  receivedCents: number;
  /** Of an amount mismatch: what was to be paid. */
  expectedCents?: number;
  refundedCents: number;
  /** The provider's fee, also of a refunded payment; null where unknown. */
  feeCents: number | null;
  netCents: number;
  paidAt: Date;
  refund: RefundState;
  /** The refund that decides `refund`; null where the charge has none, or there is no charge. */
  lastRefund: KnownRefund | null;
  /** When the newest refund was done; null where nothing is refunded, or the time is unknown. */
  refundedAt: Date | null;
  /** Where it does not count and is disputed: its bank decides. */
  isDisputed?: true;
  /** Whether only the seller says that the newest refund was done, or that the bank took the payment back. */
  isRefundRecorded: boolean;
};

/** `12x (total R$ 110,20)`: what the card's bill says. */
export function describePlan({ instalments, buyerCents }: CardPlan): string {
  return `${instalments}x${instalments > 1 ? ` (total ${formatMoney(buyerCents)})` : ""}`;
}

/** Whether a card costs its buyer more than its seller receives: interest, which is the provider's. */
export function hasInterest({ card, receivedCents }: Pick<Payment, "card" | "receivedCents">): boolean {
  return card !== null && card.buyerCents > receivedCents;
}

/** Every payment received for a sale, oldest first. */
export function derivePayments(sale: PaidSale): Payment[] {
  const payments = sale.charges.flatMap((charge) =>
    isPaid(charge) ? [paymentOfCharge(charge, sale.status)] : [],
  );
  // A free order has no payment.
  if (sale.completedAt && !salePaymentOf(payments) && sale.amountCents > 0)
    payments.push(paymentOfSale(sale, sale.completedAt));
  return payments.sort((a, b) => a.paidAt.getTime() - b.paidAt.getTime());
}

/** The sale payment among a sale's payments; undefined where none completed it. */
export function salePaymentOf<P extends { kind: PaymentKind }>(payments: P[]): P | undefined {
  return payments.find(({ kind }) => kind === "counts");
}

type ReceivedCharge = PaidCharge & { paidCents: number; paidAt: Date };

function isPaid(charge: PaidCharge): charge is ReceivedCharge {
  return isBooked(charge);
}

function paymentOfCharge(charge: ReceivedCharge, sale: SaleStatus): Payment {
  const kind = paymentKindOf(charge);
  // A charged-back payment is refunded in full, whatever its provider calls it.
  const isContested = kind === "counts" && sale === "chargedback";
  const refundedCents = isContested ? charge.paidCents : charge.paidCents - computeUnrefundedCents(charge);
  const lastDone = charge.refunds.findLast(({ status }) => status === "done");
  return {
    chargeId: charge.id,
    kind,
    card: charge.instalments
      ? { instalments: charge.instalments, buyerCents: charge.buyerCents ?? charge.paidCents }
      : null,
    ...paymentSums(charge.paidCents, refundedCents, charge.feeCents),
    ...(kind === "amount-mismatch" && { expectedCents: charge.amountCents }),
    paidAt: charge.paidAt,
    refund: isContested ? "contested" : resolveRefundState(charge),
    lastRefund: findDecisiveRefund(charge.refunds),
    refundedAt: lastDone?.endedAt ?? null,
    ...(charge.isDisputed && kind !== "counts" && { isDisputed: true as const }),
    // Where the provider reported the chargeback, its refund was booked with it.
    isRefundRecorded: isContested ? computeUnrefundedCents(charge) > 0 : lastDone?.origin === "recorded",
  };
}

/** Booked without a charge of ours: before charges were stored, or manually. */
function paymentOfSale({ status, amountCents, feeCents, refundedCents }: PaidSale, paidAt: Date): Payment {
  const isContested = status === "chargedback";
  const returnedCents = isContested ? amountCents : refundedCents;
  const refund =
    returnedCents === 0 ? "none" : returnedCents < amountCents ? "part" : isContested ? "contested" : "done";
  return {
    chargeId: null,
    kind: "counts",
    card: null,
    ...paymentSums(amountCents, returnedCents, feeCents),
    paidAt,
    refund,
    lastRefund: null,
    refundedAt: null,
    isRefundRecorded: isContested,
  };
}

/** What a payment that was received is to its sale. */
export function paymentKindOf(charge: Pick<PaidCharge, "status" | "overpaidAt">): PaymentKind {
  if (charge.status === "mispaid") return "amount-mismatch";
  return charge.overpaidAt ? "overpayment" : "counts";
}

function paymentSums(receivedCents: number, refundedCents: number, feeCents: number | null) {
  return {
    receivedCents,
    refundedCents,
    feeCents,
    netCents: receivedCents - refundedCents - (feeCents ?? 0),
  };
}

/** The refund state of a payment, by its refunds in order. */
export function resolveRefundState(charge: Pick<PaidCharge, "paidCents" | "refunds">): RefundState {
  const decisiveRefund = findDecisiveRefund(charge.refunds);
  if (!decisiveRefund) return "none";
  if (computeUnrefundedCents(charge) <= 0) return "done";
  if (decisiveRefund.status === "pending") return decisiveRefund.acceptedAt ? "accepted" : "requested";
  return decisiveRefund.status === "done" ? "part" : decisiveRefund.status;
}

/** The refund that decides the state of a charge's refunds: the pending one, else the newest. */
export function findDecisiveRefund<Refund extends { status: RefundStatus }>(
  refunds: Refund[],
): Refund | null {
  return refunds.find(({ status }) => status === "pending") ?? refunds.at(-1) ?? null;
}

type RefundAmount = { status: RefundStatus; amountCents: number };

/** What these refunds returned, in cents. */
export function computeRefundedCents(refunds: RefundAmount[]): number {
  return refunds.reduce((sum, { status, amountCents }) => sum + (status === "done" ? amountCents : 0), 0);
}

/** Whether money was refunded, and only the seller says so of all of it. */
export function isOnlyRecorded(refunds: Pick<KnownRefund, "status" | "origin">[]): boolean {
  const done = refunds.filter(({ status }) => status === "done");
  return done.length > 0 && done.every(({ origin }) => origin === "recorded");
}

type RefundedCharge = { paidCents: number | null; refunds: RefundAmount[] };

/**
 * The part of a charge's payment that is not refunded, in cents; never negative, although refunds may have been booked before
 * its provider corrected the amount to a lower one.
 */
export function computeUnrefundedCents({ paidCents, refunds }: RefundedCharge): number {
  return Math.max((paidCents ?? 0) - computeRefundedCents(refunds), 0);
}
