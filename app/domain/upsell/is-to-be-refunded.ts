import { isUnderWay } from "#app/domain/refund/is-under-way.ts";
import type { OpenRefundRequest } from "#app/domain/refund/request/open-refund-request.ts";
import { type Payment, salePaymentOf } from "#app/domain/sale/payments.ts";

/** Whether a purchase's own payment is to go back, or its buyer asked for that: nothing is offered with it then. */
export function isToBeRefunded({
  payments,
  refundRequest,
}: {
  payments: Payment[];
  refundRequest: OpenRefundRequest | null;
}): boolean {
  const paid = salePaymentOf(payments);
  return refundRequest !== null || (paid !== undefined && isUnderWay(paid.refund));
}
