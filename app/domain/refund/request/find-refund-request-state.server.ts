import { db } from "#app/db/client.server.ts";
import { ownOfSale } from "#app/db/conditions.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import { manualRefundReason } from "#app/domain/refund/manual-refund-reason.server.ts";
import { findGuaranteeEnd } from "#app/domain/refund/request/find-guarantee-end.server.ts";
import { type OpenRefundRequest, toOpenRequest } from "#app/domain/refund/request/open-refund-request.ts";
import { readSalePayment } from "#app/domain/refund/request/read-sale-payment.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";

/**
 * How a purchase can be refunded, or the state of its refund. `right`: may be requested until `endsAt`, by the provider or, where
 * `isManual`, by the seller; `question`: the seller decides; `requested` by the seller, and not answered by the provider yet;
 * `on-its-way`: accepted by it; `declined`: with their text. Null: refunded, or nothing to refund.
 */
export type RefundRequestState =
  | ({ state: "right"; endsAt: Date; isManual: boolean } & SellerRequest)
  | ({ state: "question" | "requested" } & SellerRequest)
  | { state: "on-its-way" }
  | OpenRefundRequest
  | { state: "declined"; answeredAt: Date; text: string };

/** When the seller requested a refund that the provider has not answered yet; the buyer may request one, too. */
type SellerRequest = { requestedAt: Date | null };

/** The caller has authorized access to the purchase. */
export async function findRefundRequestState(
  sale: { sellerId: string; saleId: string; status: SaleStatus; paidAt: Date },
  now = new Date(),
): Promise<RefundRequestState | null> {
  if (sale.status !== "completed") return null;
  const [request] = await db
    .select()
    .from(refundRequests)
    .where(ownOfSale(refundRequests, sale.sellerId, sale.saleId));
  // After a partial refund by the seller the rest can still be requested.
  const { charge, refunds, fullRefundState, isUndecided } = await readSalePayment(
    db,
    sale.sellerId,
    sale.saleId,
  );
  if (fullRefundState === "accepted") return { state: "on-its-way" };
  const pending = refunds.find(({ status }) => status === "pending");
  const requestedAt = fullRefundState ? pending!.requestedAt : null;
  const isManual = !isUndecided && manualRefundReason(charge, now) !== null;
  if (!request) {
    const endsAt = await findGuaranteeEnd(db, sale);
    return endsAt > now
      ? { state: "right", endsAt, isManual, requestedAt }
      : { state: "question", requestedAt };
  }
  const isEntitled = request.kind === "right" || request.answer === "granted";
  if (requestedAt && !isEntitled) return { state: "requested", requestedAt };
  if (request.answer === "declined")
    return { state: "declined", answeredAt: request.answeredAt!, text: request.answerText ?? "" };
  const newest = refunds.at(-1);
  const isUnconfirmed = newest?.status === "unconfirmed" && !newest.dismissedAt;
  const refund = { state: isUnconfirmed ? "unconfirmed" : "none", isFull: false } as const;
  return toOpenRequest(request, refund, isManual, now);
}
