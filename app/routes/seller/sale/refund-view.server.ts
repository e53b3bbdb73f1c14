import { areDisputesReported, type DisputeView } from "#app/domain/refund/show-disputes.server.ts";
import type { RefundPayment, RefundView } from "#app/domain/refund/show-refund.server.ts";
import { formatDate, formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import type { DisputesView } from "#app/routes/seller/sale/dispute-panel.tsx";
import type { RefundPanelView } from "#app/ui/seller/refund-panel.tsx";

/** A sale's payments as texts for its screen. */
export function toRefundPanelView(refund: RefundView, now = new Date()): RefundPanelView {
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
      reason: payment.reason,
      requestedAmount: payment.requestedCents === null ? null : formatMoney(payment.requestedCents),
      requestedAt: payment.requestedAt && formatDateTime(payment.requestedAt),
      dismissedAt: payment.dismissedAt && formatDateTime(payment.dismissedAt),
      mayDismiss: mayDismiss(refund, payment),
      refundedAt: payment.refundedAt && formatDateTime(payment.refundedAt),
      isRefundRecorded: payment.isRefundRecorded,
      withinDays: payment.withinDays,
      until: payment.refundableUntil > now ? formatDate(payment.refundableUntil) : null,
    })),
  };
}

/** A refund that the buyer is entitled to cannot be dismissed until the money is back. */
function mayDismiss(
  { saleStatus, isOwed }: RefundView,
  { role, status, dismissedAt }: RefundPayment,
): boolean {
  const isOpen = status === "refused" || status === "unconfirmed";
  return isOpen && role === "counts" && saleStatus === "completed" && !dismissedAt && !isOwed;
}

/** A sale's disputes as texts for its screen. */
export function toDisputesView(
  refund: RefundView,
  disputes: DisputeView[],
  accessSuspendedAt: Date | null,
): DisputesView {
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
