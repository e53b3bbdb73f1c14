import { SECOND, type Time } from "./time.ts";
import type { Refund, Transaction, Transactions } from "./transactions.ts";
import type { Webhooks } from "./webhooks.ts";

const REFUND_DURATION = SECOND;

/** Ends an accepted refund after a delay; also called at start for refunds that a restart interrupted. */
export function finishRefundLater(
  { time, transactions, webhooks }: { time: Time; transactions: Transactions; webhooks: Webhooks },
  transaction: Transaction,
  refund: Refund,
  status: "confirmed" | "rejected" = "confirmed",
) {
  time.after(REFUND_DURATION, () => {
    // A control may have ended it meanwhile, and has then notified the app as well.
    if (transaction.status !== "paid" || refund.status !== "processing") return;
    transactions.endRefund(transaction, refund, status);
    void webhooks.notify(transaction, refund);
  });
}

/** What has gone back for certain. */
export function confirmedCents({ refunds }: Transaction): number {
  return refunds.reduce((sum, { status, cents }) => sum + (status === "confirmed" ? cents : 0), 0);
}

/** What nobody has asked back. */
export function leftCents({ value, refunds }: Transaction): number {
  return value - refunds.reduce((sum, { status, cents }) => sum + (status === "rejected" ? 0 : cents), 0);
}
