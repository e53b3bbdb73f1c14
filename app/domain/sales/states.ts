/** A sale's states. `paid` is read as `completed` at the API. */
export type SaleStatus = "pending" | "completed" | "failed" | "cancelled" | "refunded" | "chargedback";

const MOVES: Record<SaleStatus, readonly SaleStatus[]> = {
  pending: ["completed", "failed", "cancelled"],
  // A PIX can be paid late: money that arrived is never refused by our own bookkeeping.
  failed: ["completed"],
  cancelled: ["completed"],
  completed: ["refunded", "chargedback"],
  refunded: [],
  chargedback: [],
};

/** Whether a sale may go from one state to another. */
export function mayMove(from: SaleStatus, to: SaleStatus): boolean {
  return MOVES[from].includes(to);
}
