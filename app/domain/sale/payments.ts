import type { ChargeStatus, RefundStatus, SaleStatus } from "#app/db/schema/lists.ts";

/** A refund as far as it says what became of a payment. Money in cents. */
export type KnownRefund = {
  status: RefundStatus;
  amountCents: number;
  requestedAt: Date;
  /** When the provider said it would; null while its answer is missing. */
  acceptedAt: Date | null;
  /** When it was done, refused or given up. */
  endedAt: Date | null;
  /** When its seller said that nothing is left to do about it. */
  dismissedAt: Date | null;
};

/** A charge as far as it says what came in with it. Money in cents. */
export type PaidCharge = {
  id: string;
  status: ChargeStatus;
  paidAt: Date | null;
  paidCents: number | null;
  feeCents: number | null;
  surplusAt: Date | null;
  /** In the order in which they were asked for. */
  refunds: KnownRefund[];
};

/** A sale as far as its money hangs on it; fee and refunds count only where no charge of ours was paid. Money in cents. */
export type PaidSale = {
  status: SaleStatus;
  amountCents: number;
  completedAt: Date | null;
  feeCents: number | null;
  refundedCents: number;
  charges: PaidCharge[];
};

/** `counts`: completed its sale; `overpayment`: came after that one; `amount-mismatch`: not what was asked for. */
export type PaymentKind = "counts" | "overpayment" | "amount-mismatch";

/**
 * How giving a payment back stands: `requested`: not yet accepted by the provider; `accepted`: it said it would; `refused`
 * by it; `unconfirmed`: we stopped waiting; `part` of it, or all of it (`done`), is back; `contested`: the payer's bank took it.
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

/** Money that came in for a sale, and what became of it: received less refunded less fee is net. In cents. */
export type Payment = {
  /** Null where the sale was booked without a charge of ours. */
  chargeId: string | null;
  kind: PaymentKind;
  receivedCents: number;
  refundedCents: number;
  /** What the provider kept, also of what was given back; null where untold. */
  feeCents: number | null;
  netCents: number;
  paidAt: Date;
  refund: RefundState;
  /** The refund that `refund` tells of; null where there is none of a charge of ours. */
  lastRefund: KnownRefund | null;
  /** When the newest refund was done; null where nothing is back, or nobody knows when. */
  refundedAt: Date | null;
};

/** Every payment received for a sale, oldest first. */
export function paymentsOf(sale: PaidSale): Payment[] {
  const payments = sale.charges.flatMap((charge) => (isPaid(charge) ? [ofCharge(charge, sale.status)] : []));
  const hasCounting = payments.some(({ kind }) => kind === "counts");
  if (sale.completedAt && !hasCounting) payments.push(ofBooks(sale, sale.completedAt));
  return payments.sort((a, b) => a.paidAt.getTime() - b.paidAt.getTime());
}

type Received = PaidCharge & { paidCents: number; paidAt: Date };

function isPaid(charge: PaidCharge): charge is Received {
  return (
    (charge.status === "paid" || charge.status === "mispaid") &&
    charge.paidCents !== null &&
    charge.paidAt !== null
  );
}

function ofCharge(charge: Received, sale: SaleStatus): Payment {
  const kind = kindOf(charge);
  // A contested payment has gone back as a whole, whatever its provider calls it.
  const isContested = kind === "counts" && sale === "chargedback";
  const refundedCents = isContested ? charge.paidCents : charge.paidCents - leftOf(charge);
  return {
    chargeId: charge.id,
    kind,
    ...sums(charge.paidCents, refundedCents, charge.feeCents),
    paidAt: charge.paidAt,
    refund: isContested ? "contested" : refundStateOf(charge),
    lastRefund: lastRefundOf(charge.refunds),
    refundedAt: charge.refunds.findLast(({ status }) => status === "done")?.endedAt ?? null,
  };
}

/** Booked without a charge of ours: before charges were kept, or by hand. */
function ofBooks({ status, amountCents, feeCents, refundedCents }: PaidSale, paidAt: Date): Payment {
  const isContested = status === "chargedback";
  const back = isContested ? amountCents : refundedCents;
  const refund = back === 0 ? "none" : back < amountCents ? "part" : isContested ? "contested" : "done";
  return {
    chargeId: null,
    kind: "counts",
    ...sums(amountCents, back, feeCents),
    paidAt,
    refund,
    lastRefund: null,
    refundedAt: null,
  };
}

function kindOf({ status, surplusAt }: PaidCharge): PaymentKind {
  if (status === "mispaid") return "amount-mismatch";
  return surplusAt ? "overpayment" : "counts";
}

function sums(receivedCents: number, refundedCents: number, feeCents: number | null) {
  return {
    receivedCents,
    refundedCents,
    feeCents,
    netCents: receivedCents - refundedCents - (feeCents ?? 0),
  };
}

/** How giving back a payment stands, by its refunds in order. */
export function refundStateOf(charge: Pick<PaidCharge, "paidCents" | "refunds">): RefundState {
  const last = lastRefundOf(charge.refunds);
  if (!last) return "none";
  if (leftOf(charge) <= 0) return "done";
  if (last.status === "pending") return last.acceptedAt ? "accepted" : "requested";
  return last.status === "done" ? "part" : last.status;
}

/** The refund that says how a charge's refunds stand, of all in order: the one under way, else the newest. */
export function lastRefundOf<Refund extends { status: RefundStatus }>(refunds: Refund[]): Refund | null {
  return refunds.find(({ status }) => status === "pending") ?? refunds.at(-1) ?? null;
}

type Refunded = { paidCents: number | null; refunds: { status: RefundStatus; amountCents: number }[] };

/** What came in with a charge and has not gone back. */
export function leftOf({ paidCents, refunds }: Refunded): number {
  const back = refunds.reduce(
    (sum, { status, amountCents }) => sum + (status === "done" ? amountCents : 0),
    0,
  );
  return (paidCents ?? 0) - back;
}

/** All money of a sale's payments. In cents; `feeCents` null where no provider told a fee, `netCents` where nothing came in. */
export type PaymentTotals = {
  receivedCents: number;
  refundedCents: number;
  feeCents: number | null;
  netCents: number | null;
};

/** The sums of a sale's payments. */
export function sumPayments(payments: Payment[]): PaymentTotals {
  const sum = (of: (payment: Payment) => number) => payments.reduce((all, one) => all + of(one), 0);
  const hasFee = payments.some(({ feeCents }) => feeCents !== null);
  return {
    receivedCents: sum((one) => one.receivedCents),
    refundedCents: sum((one) => one.refundedCents),
    feeCents: hasFee ? sum((one) => one.feeCents ?? 0) : null,
    netCents: payments.length > 0 ? sum((one) => one.netCents) : null,
  };
}
