import type {
  ChargeStatus,
  DisputeStatus,
  RefundStatus,
  SaleFactKind,
  SaleStatus,
} from "#app/db/schema/lists.ts";

export type { SaleStatus };

type Moves<Status extends string> = Record<Status, readonly Status[]>;

/** A PIX can be paid late: money that arrived is never refused by our own bookkeeping. */
const SALE_MOVES: Moves<SaleStatus> = {
  pending: ["completed", "failed", "cancelled"],
  failed: ["pending", "completed"],
  cancelled: ["completed"],
  completed: ["disputed", "refunded", "chargedback"],
  // The bank rejects the dispute, the seller refunds meanwhile, or the bank takes the money back.
  disputed: ["completed", "refunded", "chargedback"],
  refunded: [],
  chargedback: [],
};

/** A charge given up may have been made after all; a code that ended may be paid after all. */
const CHARGE_MOVES: Moves<ChargeStatus> = {
  creating: ["open", "paid", "mispaid", "failed", "expired", "cancelled"],
  failed: ["open", "paid", "mispaid", "expired", "cancelled"],
  open: ["paid", "mispaid", "expired", "cancelled"],
  expired: ["paid", "mispaid", "cancelled"],
  cancelled: ["paid", "mispaid"],
  // The provider corrected itself.
  mispaid: ["paid"],
  paid: [],
};

/** A refund that we stopped waiting for, or that was refused, may turn out to have been done. */
const REFUND_MOVES: Moves<RefundStatus> = {
  pending: ["done", "refused", "unconfirmed"],
  unconfirmed: ["done"],
  refused: ["done"],
  done: [],
};

/** Once decided, a dispute is over: the same payment may be contested again, as another. */
const DISPUTE_MOVES: Moves<DisputeStatus> = {
  open: ["won", "lost", "refunded"],
  won: [],
  lost: [],
  refunded: [],
};

/** Whether a sale may go from one state to another. */
export const mayMove = allowedBy(SALE_MOVES);
/** Whether a charge may go from one state to another. */
export const mayMoveCharge = allowedBy(CHARGE_MOVES);
/** Whether a refund may go from one state to another. */
export const mayMoveRefund = allowedBy(REFUND_MOVES);
/** Whether a dispute may go from one state to another. */
export const mayMoveDispute = allowedBy(DISPUTE_MOVES);

function allowedBy<Status extends string>(moves: Moves<Status>) {
  return (from: Status, to: Status): boolean => moves[from].includes(to);
}

/** The fact that a move to each state leaves; a dispute that was won leaves `dispute_won` in place of `completed`. */
export const SALE_MOVE_FACT = {
  pending: "reopened",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  disputed: "disputed",
  refunded: "refunded",
  chargedback: "chargedback",
} as const satisfies Record<SaleStatus, SaleFactKind>;
