import type { refundRequests } from "#app/db/schema/buyers.server.ts";
import { answerDeadline } from "#app/domain/refund/request/refund-window.ts";
import type { RefundState } from "#app/domain/sale/payments.ts";

/**
 * A buyer's refund request that is not over. `asked`: we request it from the provider; `delayed`: not refunded yet, with another
 * attempt scheduled, or `isUnconfirmed`; `by-hand`: the seller has to return the money outside the provider; `waiting`: for
 * the seller's answer until `due`, or longer.
 */
export type OpenRefundRequest = { requestedByBuyerAt: Date } & (
  | { state: "asked" | "by-hand" }
  | { state: "delayed"; isUnconfirmed: boolean }
  | { state: "waiting"; due: Date; isLate: boolean }
);

export type RequestRow = Pick<
  typeof refundRequests.$inferSelect,
  "kind" | "answer" | "createdAt" | "failedAt" | "nextAttemptAt"
>;

/**
 * Interprets the request of a purchase that is still completed, for every page; null where the provider accepted the whole
 * refund, the seller requested it before answering, or declined.
 * @param refund of the purchase's payment: its state, and whether all that is left is being refunded
 * @param isManual the provider refunds it no more, and no refund of it is undecided (`isUndecided`)
 */
export function toOpenRequest(
  request: RequestRow,
  refund: { state: RefundState; isFull: boolean },
  isManual: boolean,
  now: Date,
): OpenRefundRequest | null {
  const isEntitled = request.kind === "right" || request.answer === "granted";
  const isBeingRefunded = refund.isFull && (refund.state === "accepted" || refund.state === "requested");
  if (request.answer === "declined") return null;
  if (isBeingRefunded && (refund.state === "accepted" || !isEntitled)) return null;
  const requestedByBuyerAt = request.createdAt;
  if (!isEntitled) {
    const due = answerDeadline(requestedByBuyerAt);
    return { state: "waiting", requestedByBuyerAt, due, isLate: due < now };
  }
  if (isManual || (request.failedAt !== null && request.nextAttemptAt === null))
    return { state: "by-hand", requestedByBuyerAt };
  const isUnconfirmed = refund.state === "unconfirmed";
  if (request.failedAt !== null || isUnconfirmed)
    return { state: "delayed", requestedByBuyerAt, isUnconfirmed };
  return { state: "asked", requestedByBuyerAt };
}
