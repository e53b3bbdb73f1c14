import type { RefundStatus, SaleStatus } from "#app/db/schema/lists.ts";
import {
  lastRefundOf,
  leftOf,
  type PaidCharge,
  type PaidSale,
  type Payment,
  type PaymentKind,
  paymentsOf,
  sumPayments,
} from "#app/domain/sale/payments.ts";

/** What is known of a charge, as far as it says how its sale stands. Money in cents. */
export type KnownCharge = PaidCharge & {
  createdAt: Date;
  expiresAt: Date | null;
  /** The provider told us of a payment, and was not asked about it since. */
  announcedAt: Date | null;
};

/** All that is known of a sale's money. */
export type KnownSale = PaidSale & { charges: KnownCharge[] };

/**
 * How an order stands for its buyer. `making`: a code is being made; `payable`; `announced`: the provider told of a payment,
 * which is being confirmed; `over`: the code ran out; `used`: another amount came in by it, and went back; `unmade`: no code could be made; `failed`: refused or cancelled; `closed`: a day after the last code;
 * `mispaid`: another amount came in; `paid`; `returned`: all of it went back, or was contested.
 */
export type BuyerStanding =
  | "making"
  | "payable"
  | "announced"
  | "over"
  | "used"
  | "unmade"
  | "failed"
  | "closed"
  | "mispaid"
  | "paid"
  | "returned";

/** What waits for the seller's hand. */
export type Hand = "surplus" | "mispaid" | "refund-unconfirmed" | "refund-refused" | "news-waiting";

/** How a sale stands, for everybody who shows it. Money in cents. */
export type Standing = {
  buyer: BuyerStanding;
  /** The spec's three words, for the status API and the event stream. */
  api: "pending" | "completed" | "failed";
  /** The code to show, and the one that a question is about: one that can be paid, else the newest. */
  chargeId: string | null;
  /** Whether a second payment of this sale came in. */
  paidTwice: boolean;
  /** Every payment received, oldest first. */
  payments: Payment[];
  money: Money;
  hands: { hand: Hand; chargeId: string }[];
};

/** All money that came in for a sale: `in` = `counted` + `surplus` + `wrong` + `refunded`; `net` = `in` - `refunded` - `fee`. */
export type Money = {
  inCents: number;
  /** Of the payment that counts, after refunds. */
  countedCents: number;
  surplusCents: number;
  wrongCents: number;
  refundedCents: number;
  /** What the provider kept, also of what was given back; null where untold. */
  feeCents: number | null;
  /** What remains of all payments, after refunds and fees. */
  netCents: number;
};

/** News of a payment that nobody could ask about for longer than this needs a look. */
const NEWS_WAITS = 60_000;

/** The one reader of a sale's books: page, API, event stream, list, details, reports and file say what it says. */
export function standing(sale: KnownSale, now: Date): Standing {
  const charges = [...sale.charges].sort(
    (a, b) =>
      Number(isPayable(b, now)) - Number(isPayable(a, now)) || b.createdAt.getTime() - a.createdAt.getTime(),
  );
  const buyer = buyerStanding(sale.status, charges, now);
  const payments = paymentsOf(sale);
  return {
    buyer,
    // A code that could not be made ends nothing: the sale waits for another.
    api: (buyer === "failed" || buyer === "unmade") && sale.status === "pending" ? "pending" : API[buyer],
    chargeId: charges[0]?.id ?? null,
    paidTwice: charges.some((charge) => charge.surplusAt !== null),
    payments,
    money: moneyOf(payments),
    hands: charges.flatMap((charge) => handsOf(sale.status, charge, now)),
  };
}

const API: Record<BuyerStanding, Standing["api"]> = {
  making: "pending",
  payable: "pending",
  announced: "pending",
  over: "pending",
  used: "pending",
  mispaid: "pending",
  unmade: "failed",
  failed: "failed",
  closed: "failed",
  paid: "completed",
  returned: "completed",
};

function buyerStanding(sale: SaleStatus, charges: KnownCharge[], now: Date): BuyerStanding {
  if (sale === "completed" || sale === "disputed") return "paid";
  if (sale === "refunded" || sale === "chargedback") return "returned";
  if (charges.some(isAnnounced)) return "announced";
  if (charges.some((charge) => charge.status === "mispaid" && leftOf(charge) > 0)) return "mispaid";
  if (sale === "cancelled") return "closed";
  const [shown] = charges;
  if (shown && isPayable(shown, now)) return "payable";
  if (shown?.status === "creating") return "making";
  if (shown?.status === "mispaid") return "used";
  if (shown && charges.every(({ status }) => status === "failed")) return "unmade";
  const isFailed = sale === "failed" || shown?.status === "failed" || shown?.status === "cancelled";
  return isFailed ? "failed" : "over";
}

function isPayable({ status, expiresAt }: KnownCharge, now: Date): boolean {
  return status === "open" && (expiresAt === null || expiresAt > now);
}

function isAnnounced({ status, announcedAt }: KnownCharge): boolean {
  return announcedAt !== null && status !== "paid" && status !== "mispaid";
}

function moneyOf(payments: Payment[]): Money {
  const { receivedCents: inCents, refundedCents, feeCents, netCents } = sumPayments(payments);
  const leftIn = (kind: PaymentKind) =>
    payments.reduce((sum, one) => sum + (one.kind === kind ? one.receivedCents - one.refundedCents : 0), 0);
  return {
    inCents,
    countedCents: leftIn("counts"),
    surplusCents: leftIn("overpayment"),
    wrongCents: leftIn("amount-mismatch"),
    refundedCents,
    feeCents,
    netCents: netCents ?? 0,
  };
}

/** How far a refund has come that takes all that is left of a payment; null where none is under way. */
export function wholeRefundOf(charge: {
  paidCents: number | null;
  refunds: { status: RefundStatus; amountCents: number; acceptedAt: Date | null }[];
}): "requested" | "accepted" | null {
  const pending = charge.refunds.find(({ status }) => status === "pending");
  if (!pending || pending.amountCents < leftOf(charge)) return null;
  return pending.acceptedAt ? "accepted" : "requested";
}

function handsOf(sale: SaleStatus, charge: KnownCharge, now: Date): Standing["hands"] {
  const { id: chargeId, status, surplusAt, refunds, announcedAt } = charge;
  const hands: Hand[] = [];
  const last = lastRefundOf(refunds);
  if (leftOf(charge) > 0 && last?.status !== "pending") {
    if (last?.status === "unconfirmed" && !last.dismissedAt) hands.push("refund-unconfirmed");
    else if (surplusAt) hands.push("surplus");
    else if (status === "mispaid") hands.push("mispaid");
    else if (last?.status === "refused" && !last.dismissedAt && sale === "completed")
      hands.push("refund-refused");
  }
  if (isAnnounced(charge) && now.getTime() - announcedAt!.getTime() > NEWS_WAITS) hands.push("news-waiting");
  return hands.map((hand) => ({ hand, chargeId }));
}
