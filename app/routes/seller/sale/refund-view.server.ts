import { areDisputesReported, type ShownDispute } from "#app/domain/refund/show-disputes.server.ts";
import type { RefundPayment, RefundView } from "#app/domain/refund/show-refund.server.ts";
import { formatDate, formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import type { DisputesShown } from "#app/routes/seller/sale/dispute-panel.tsx";
import type { ShownRefund } from "#app/ui/seller/refund-panel.tsx";

/** A sale's payments in the words of its screen. */
export function refundAsShown(refund: RefundView, now = new Date()): ShownRefund {
  const { saleId, saleStatus, payments } = refund;
  return {
    saleId,
    saleStatus,
    payments: payments.map((payment) => ({
      chargeId: payment.chargeId,
      amount: formatMoney(payment.amountCents),
      paidAt: formatDateTime(payment.paidAt),
      left: formatMoney(payment.leftCents),
      partial: payment.partial,
      cancelledSince: payment.cancelledSince && formatDateTime(payment.cancelledSince),
      cancelledCheckedAt: payment.cancelledCheckedAt && formatDateTime(payment.cancelledCheckedAt),
      role: payment.role,
      status: payment.status,
      why: payment.why,
      asked: payment.askedCents === null ? null : formatMoney(payment.askedCents),
      requestedAt: payment.requestedAt && formatDateTime(payment.requestedAt),
      dismissedAt: payment.dismissedAt && formatDateTime(payment.dismissedAt),
      mayDismiss: mayDismiss(refund, payment),
      refundedAt: payment.refundedAt && formatDateTime(payment.refundedAt),
      withinDays: payment.withinDays,
      until: payment.until > now ? formatDate(payment.until) : null,
    })),
  };
}

/** A refund that the buyer is to have waits until the money is back. */
function mayDismiss(
  { saleStatus, isOwed }: RefundView,
  { role, status, dismissedAt }: RefundPayment,
): boolean {
  const isOpen = status === "refused" || status === "unconfirmed";
  return isOpen && role === "counts" && saleStatus === "completed" && !dismissedAt && !isOwed;
}

/** A sale's disputes in the words of its screen. */
export function disputesAsShown(
  refund: RefundView,
  disputes: ShownDispute[],
  accessSuspendedAt: Date | null,
): DisputesShown {
  return {
    saleId: refund.saleId,
    saleStatus: refund.saleStatus,
    isSuspended: accessSuspendedAt !== null,
    areReported: areDisputesReported(refund),
    disputes: disputes.map(({ id, status, amountCents, note, openedAt, decidedAt }) => ({
      ...{ id, status, note },
      amount: formatMoney(amountCents),
      openedAt: formatDateTime(openedAt),
      decidedAt: decidedAt && formatDateTime(decidedAt),
    })),
  };
}
