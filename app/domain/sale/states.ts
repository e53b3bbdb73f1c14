import type {
  ChargeStatus,
  DisputeStatus,
  RefundStatus,
  SaleEventKind,
  SaleStatus,
} from "#app/db/schema/lists.ts";

export type { SaleStatus };

type Moves<Status extends string> = Record<Status, readonly Status[]>;

/** A PIX can be paid late: a payment that arrived is never rejected by our own state table. A buyer may come back late, too. */
const SALE_MOVES: Moves<SaleStatus> = {
  pending: ["completed", "failed", "cancelled"],
  failed: ["pending", "completed"],
  cancelled: ["pending", "completed"],
  completed: ["disputed", "refunded", "chargedback"],
  // The bank rejects the dispute, the seller refunds meanwhile, or the bank takes the money back.
  disputed: ["completed", "refunded", "chargedback"],
  refunded: [],
  chargedback: [],
};

/**
 * A failed charge may have been created after all, an expired or cancelled code may still be paid, and a provider may approve
 * a card that it declined before.
 */
const CHARGE_MOVES: Moves<ChargeStatus> = {
  creating: ["open", "unknown", "in_review", "declined", "paid", "mispaid", "failed", "expired", "cancelled"],
  failed: ["open", "in_review", "declined", "paid", "mispaid", "expired", "cancelled"],
  unknown: ["in_review", "declined", "paid", "mispaid", "failed", "expired", "cancelled"],
  in_review: ["declined", "paid", "mispaid", "expired", "cancelled"],
  declined: ["paid", "mispaid"],
  open: ["paid", "mispaid", "expired", "cancelled"],
  expired: ["paid", "mispaid", "cancelled"],
  cancelled: ["paid", "mispaid"],
  // The provider corrected itself.
  mispaid: ["paid"],
  paid: [],
};

/** The states of a sale that was never paid, and still can be. */
export const UNPAID: SaleStatus[] = ["pending", "failed", "cancelled"];

/** Whether a payment of a charge was received: the one of its amount, or an amount mismatch. */
export function isBooked({ status }: { status: ChargeStatus }): boolean {
  return status === "paid" || status === "mispaid";
}

/** Whether a charge is the payment of its sale: neither an overpayment nor an amount mismatch. */
export function isSalePayment(charge: { status: ChargeStatus; overpaidAt: Date | null }): boolean {
  return charge.status === "paid" && charge.overpaidAt === null;
}

/** An unconfirmed or refused refund may turn out to have been done. */
const REFUND_MOVES: Moves<RefundStatus> = {
  pending: ["done", "refused", "unconfirmed"],
  unconfirmed: ["done"],
  refused: ["done"],
  done: [],
};

/** A decided dispute is final: if the payment is contested again, that is another dispute. */
const DISPUTE_MOVES: Moves<DisputeStatus> = {
  open: ["won", "lost", "refunded"],
  won: [],
  lost: [],
  refunded: [],
};

/** Whether a sale may go from one state to another. */
export const mayMoveSale = createMoveCheck(SALE_MOVES);
/** Whether a charge may go from one state to another. */
export const mayMoveCharge = createMoveCheck(CHARGE_MOVES);
/** Whether a refund may go from one state to another. */
export const mayMoveRefund = createMoveCheck(REFUND_MOVES);
/** Whether a dispute may go from one state to another. */
export const mayMoveDispute = createMoveCheck(DISPUTE_MOVES);

function createMoveCheck<Status extends string>(moves: Moves<Status>) {
  return (from: Status, to: Status): boolean => moves[from].includes(to);
}

/** The event of a move to each state; a won dispute is recorded as `dispute_won` instead of `completed`. */
export const SALE_MOVE_EVENT = {
  pending: "reopened",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  disputed: "disputed",
  refunded: "refunded",
  chargedback: "chargedback",
} as const satisfies Record<SaleStatus, SaleEventKind>;
