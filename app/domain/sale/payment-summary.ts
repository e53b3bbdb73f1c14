import type { ChargeMethod, RefundStatus, SaleStatus } from "#app/db/schema/lists.ts";
import { sumPayments } from "#app/domain/sale/payment-totals.ts";
import {
  computeUnrefundedCents,
  derivePayments,
  findDecisiveRefund,
  type PaidCharge,
  type PaidSale,
  type Payment,
  type PaymentKind,
} from "#app/domain/sale/payments.ts";
import { isBooked, isSalePayment } from "#app/domain/sale/states.ts";

/** A charge with what the summary of its sale depends on. Money in cents. */
export type KnownCharge = PaidCharge & {
  method: ChargeMethod;
  createdAt: Date;
  expiresAt: Date | null;
  /** When a webhook announced a payment that has not been checked since. */
  announcedAt: Date | null;
  /** Of a card in review: whether its bank waits for the buyer. */
  isChallenged?: boolean;
};

/** A sale with all its charges. */
export type KnownSale = PaidSale & { charges: KnownCharge[] };

/**
 * The payment state of an order for its buyer. `making`: a code is being created; `payable`; `announced`: a webhook
 * announced a payment, which is being confirmed; `over`: the code expired; `used`: another amount was paid and
 * refunded; `verifying`: a card was sent and its answer is missing; `challenged`: its bank asks the buyer to confirm;
 * `in-review`: its provider has not decided; `declined`: the newest attempt was a card that was not approved; `unmade`: the
 * newest code could not be created; `failed`: refused or cancelled; `closed`: a day after the last code; `mispaid`: another
 * amount was paid; `paid`; `returned`: refunded in full, or charged back.
 */
export type BuyerPaymentSummary =
  | "making"
  | "payable"
  | "announced"
  | "over"
  | "used"
  | "verifying"
  | "challenged"
  | "in-review"
  | "declined"
  | "unmade"
  | "failed"
  | "closed"
  | "mispaid"
  | "paid"
  | "returned";

/** What the seller has to act on. */
export type ActionItemKind =
  | "extra-disputed"
  | "surplus"
  | "mispaid"
  | "refund-unconfirmed"
  | "refund-refused"
  | "news-waiting";

/** The payment state of a sale, for every view. Money in cents. */
export type PaymentSummary = {
  buyer: BuyerPaymentSummary;
  /** The three states of the status API and the event stream. */
  apiStatus: "pending" | "completed" | "failed";
  /** The charge to show and to check: one that can be paid, else the newest. */
  chargeId: string | null;
  /** Whether this sale has an overpayment. */
  isOverpaid: boolean;
  /** Every payment received, oldest first. */
  payments: Payment[];
  money: Money;
  actionItems: { kind: ActionItemKind; chargeId: string }[];
};

/**
 * All money received for a sale: received = counted + overpaid + mismatched + refunded; net = received - refunded -
 * fee.
 */
export type Money = {
  receivedCents: number;
  /** Of the payment that counts, after refunds. */
  countedCents: number;
  overpaidCents: number;
  mismatchedCents: number;
  refundedCents: number;
  /** The provider's fee, also of refunded payments; null where unknown. */
  feeCents: number | null;
  /** What remains of all payments, after refunds and fees. */
  netCents: number;
};

/** An announced payment that could not be checked for longer than this needs the seller's attention. */
const UNCHECKED_WEBHOOK_GRACE_MS = 60_000;

/** Whether a sale has, or had, a PIX code that its buyer could pay. */
export function hadCode(charges: Pick<KnownCharge, "method" | "status">[]): boolean {
  return charges.some(
    ({ method, status }) => method === "pix" && status !== "creating" && status !== "failed",
  );
}

/**
 * The only function that interprets a sale's payments: page, API, event stream, list, details, reports and export all
 * use it.
 */
export function summarizePayments(sale: KnownSale, now: Date): PaymentSummary {
  const charges = [...sale.charges].sort(
    (a, b) =>
      Number(isPayable(b, now)) - Number(isPayable(a, now)) || b.createdAt.getTime() - a.createdAt.getTime(),
  );
  const buyer = summarizeForBuyer(sale.status, charges, now);
  const payments = derivePayments(sale);
  return {
    buyer,
    apiStatus: apiStatusOf(buyer, sale.status),
    chargeId: charges[0]?.id ?? null,
    isOverpaid: charges.some((charge) => charge.overpaidAt !== null),
    payments,
    money: sumMoney(payments),
    actionItems: charges.flatMap((charge) => listActionItems(sale.status, charge, now)),
  };
}

/**
 * A code that could not be created or was paid with another amount, and a declined card, do not end a sale: it can still be
 * paid.
 */
function apiStatusOf(buyer: BuyerPaymentSummary, sale: SaleStatus): PaymentSummary["apiStatus"] {
  if (buyer === "failed" || buyer === "unmade" || buyer === "used" || buyer === "declined")
    return sale === "pending" ? "pending" : "failed";
  return API_STATUS[buyer];
}

const API_STATUS: Record<
  Exclude<BuyerPaymentSummary, "failed" | "unmade" | "used" | "declined">,
  PaymentSummary["apiStatus"]
> = {
  making: "pending",
  payable: "pending",
  announced: "pending",
  over: "pending",
  verifying: "pending",
  challenged: "pending",
  "in-review": "pending",
  mispaid: "pending",
  closed: "failed",
  paid: "completed",
  returned: "completed",
};

function summarizeForBuyer(sale: SaleStatus, charges: KnownCharge[], now: Date): BuyerPaymentSummary {
  if (sale === "completed" || sale === "disputed") return "paid";
  if (sale === "refunded" || sale === "chargedback") return "returned";
  if (charges.some(isAnnounced)) return "announced";
  if (charges.some((charge) => charge.status === "mispaid" && computeUnrefundedCents(charge) > 0))
    return "mispaid";
  // No code is shown meanwhile: both could be paid.
  const reviewed = charges.find(({ status }) => status === "in_review");
  if (reviewed) return reviewed.isChallenged ? "challenged" : "in-review";
  if (charges.some(isAnswerMissing)) return "verifying";
  if (sale === "cancelled") return "closed";
  const [current] = charges;
  if (current && isPayable(current, now)) return "payable";
  if (current?.status === "creating") return "making";
  if (current?.status === "mispaid") return "used";
  if (current?.status === "declined") return "declined";
  // Also where none was ever requested.
  if (charges.every(({ status }) => status === "failed")) return "unmade";
  // No payment was refused: the newest code could not be created, and an older one has expired.
  if (sale === "pending" && current?.status === "failed") return "unmade";
  const isFailed = sale === "failed" || current?.status === "failed" || current?.status === "cancelled";
  return isFailed ? "failed" : "over";
}

function isPayable({ status, expiresAt }: KnownCharge, now: Date): boolean {
  return status === "open" && (expiresAt === null || expiresAt > now);
}

function isAnswerMissing({ method, status }: KnownCharge): boolean {
  return status === "unknown" || (method === "card" && status === "creating");
}

function isAnnounced(charge: KnownCharge): boolean {
  return charge.announcedAt !== null && !isBooked(charge);
}

function sumMoney(payments: Payment[]): Money {
  const { receivedCents, refundedCents, feeCents, netCents } = sumPayments(payments);
  const unrefundedOf = (kind: PaymentKind) =>
    payments.reduce((sum, one) => sum + (one.kind === kind ? one.receivedCents - one.refundedCents : 0), 0);
  return {
    receivedCents,
    countedCents: unrefundedOf("counts"),
    overpaidCents: unrefundedOf("overpayment"),
    mismatchedCents: unrefundedOf("amount-mismatch"),
    refundedCents,
    feeCents,
    netCents: netCents ?? 0,
  };
}

/** The state of a refund of all that is left of a payment; null where none is in progress. */
export function findFullRefundState(charge: {
  paidCents: number | null;
  refunds: { status: RefundStatus; amountCents: number; acceptedAt: Date | null }[];
}): "requested" | "accepted" | null {
  const pending = charge.refunds.find(({ status }) => status === "pending");
  if (!pending || pending.amountCents < computeUnrefundedCents(charge)) return null;
  return pending.acceptedAt ? "accepted" : "requested";
}

function listActionItems(sale: SaleStatus, charge: KnownCharge, now: Date): PaymentSummary["actionItems"] {
  const { id: chargeId, status, overpaidAt, refunds, announcedAt } = charge;
  const kinds: ActionItemKind[] = [];
  const decisiveRefund = findDecisiveRefund(refunds);
  // What the bank took back cannot be refunded any more.
  const isContested = sale === "chargedback" && isSalePayment(charge);
  if (computeUnrefundedCents(charge) > 0 && decisiveRefund?.status !== "pending" && !isContested) {
    if (charge.isDisputed) kinds.push("extra-disputed");
    else if (decisiveRefund?.status === "unconfirmed" && !decisiveRefund.dismissedAt)
      kinds.push("refund-unconfirmed");
    else if (overpaidAt) kinds.push("surplus");
    else if (status === "mispaid") kinds.push("mispaid");
    else if (decisiveRefund?.status === "refused" && !decisiveRefund.dismissedAt && sale === "completed")
      kinds.push("refund-refused");
  }
  if (isAnnounced(charge) && now.getTime() - announcedAt!.getTime() > UNCHECKED_WEBHOOK_GRACE_MS)
    kinds.push("news-waiting");
  return kinds.map((kind) => ({ kind, chargeId }));
}
