import { and } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { isSalePaymentSql, ofSaleIds, ownOfSale } from "#app/db/conditions.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { isUndecided } from "#app/domain/refund/is-under-way.ts";
import { manualRefundReason } from "#app/domain/refund/manual-refund-reason.server.ts";
import { type OpenRefundRequest, toOpenRequest } from "#app/domain/refund/request/open-refund-request.ts";
import { type Payment, type RefundState, salePaymentOf } from "#app/domain/sale/payments.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";

type Purchase = { saleId: string; status: SaleStatus; payments: Payment[] };

/** The open refund requests of purchases, by sale, in one statement. The caller has authorized access to them. */
export async function findOpenRefundRequests(
  purchases: Purchase[],
  now = new Date(),
): Promise<Map<string, OpenRefundRequest>> {
  const completed = purchases.filter(({ status }) => status === "completed");
  if (completed.length === 0) return new Map();
  const rows = await db
    .select({
      saleId: refundRequests.saleId,
      kind: refundRequests.kind,
      answer: refundRequests.answer,
      createdAt: refundRequests.createdAt,
      failedAt: refundRequests.failedAt,
      nextAttemptAt: refundRequests.nextAttemptAt,
      charge: { provider: charges.provider, method: charges.method, paidAt: charges.paidAt },
    })
    .from(refundRequests)
    .leftJoin(
      charges,
      and(ownOfSale(charges, refundRequests.sellerId, refundRequests.saleId), isSalePaymentSql),
    )
    .where(
      ofSaleIds(
        refundRequests,
        completed.map(({ saleId }) => saleId),
      ),
    );
  return new Map(
    rows.flatMap(({ saleId, charge, ...request }) => {
      const { payments } = completed.find((one) => one.saleId === saleId)!;
      const refund = refundOf(payments);
      const isManual =
        !isUndecided({ status: refund.state, dismissedAt: null }) && manualRefundReason(charge, now) !== null;
      const open = toOpenRequest(request, refund, isManual, now);
      return open ? [[saleId, open] as const] : [];
    }),
  );
}

/** That of one purchase; null where there is none. */
export async function findOpenRefundRequest(purchase: Purchase): Promise<OpenRefundRequest | null> {
  return (await findOpenRefundRequests([purchase])).get(purchase.saleId) ?? null;
}

/** The refund of the payment that counts; none where its seller found that it did not happen. */
function refundOf(payments: Payment[]): { state: RefundState; isFull: boolean } {
  const own = salePaymentOf(payments);
  if (!own) return { state: "none", isFull: false };
  const leftCents = own.receivedCents - own.refundedCents;
  const isDismissed = own.lastRefund?.dismissedAt != null;
  return {
    state: isDismissed ? "none" : own.refund,
    isFull: (own.lastRefund?.amountCents ?? 0) >= leftCents,
  };
}
