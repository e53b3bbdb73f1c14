import { areDisputesReported, type DisputeView } from "#app/domain/refund/show-disputes.server.ts";
import type { RefundPayment, RefundView } from "#app/domain/refund/show-refund.server.ts";
import { ARRIVAL_PERIOD } from "#app/domain/sale/dispute/update-dispute.server.ts";
import { formatDate, formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import type { DisputesView } from "#app/routes/seller/sale/dispute-panel.tsx";
import type { RefundPanelView } from "#app/ui/seller/refund-panel.tsx";

/** A sale's payments as texts for its screen. */
export function toRefundPanelView(refund: RefundView, now = new Date()): RefundPanelView {
  const { saleId, saleStatus, isFree, payments } = refund;
  return {
    saleId,
    saleStatus,
    isFree,
    payments: payments.map((payment) => ({
      chargeId: payment.chargeId,
      amount: formatMoney(payment.amountCents),
      paidAt: formatDateTime(payment.paidAt),
      left: formatMoney(payment.leftCents),
      leftCents: payment.leftCents,
      partial: payment.partial,
      cancelledSince: payment.cancelledSince && formatDateTime(payment.cancelledSince),
      cancelledCheckedAt: payment.cancelledCheckedAt && formatDateTime(payment.cancelledCheckedAt),
      kind: payment.kind,
      status: payment.status,
      isDisputed: payment.isDisputed,
      reason: payment.reason,
      requestedAmount: payment.requestedCents === null ? null : formatMoney(payment.requestedCents),
      isUnsent: payment.isUnsent,
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
  { kind, status, dismissedAt }: RefundPayment,
): boolean {
  const isOpen = status === "refused" || status === "unconfirmed";
  return isOpen && kind === "counts" && saleStatus === "completed" && !dismissedAt && !isOwed;
}

/** A sale's disputes as texts for its screen. */
export function toDisputesView(
  refund: RefundView,
  disputes: DisputeView[],
  accessSuspendedAt: Date | null,
  now = new Date(),
): DisputesView {
  const open = disputes.find(({ status }) => status === "open");
  return {
    isCard: refund.payments.some(({ kind, method }) => kind === "counts" && method === "card"),
    maySendEvidence: open?.evidenceStatus === "needed" && !isLate(open, now),
    saleId: refund.saleId,
    saleStatus: refund.saleStatus,
    isSuspended: accessSuspendedAt !== null,
    isFree: refund.isFree,
    areReported: areDisputesReported(refund),
    disputes: disputes.map((dispute) => ({
      ...{ id: dispute.id, status: dispute.status, note: dispute.note, providerId: dispute.providerId },
      amount: formatMoney(dispute.amountCents),
      openedAt: formatDateTime(dispute.openedAt),
      decidedAt: dispute.decidedAt && formatDateTime(dispute.decidedAt),
      evidence: describeEvidence(dispute, now),
    })),
  };
}

function isLate({ evidenceDueAt }: DisputeView, now: Date): boolean {
  return evidenceDueAt !== null && evidenceDueAt < now;
}

/** What the provider says of the evidence; null where the dispute is none of its own. */
function describeEvidence(dispute: DisputeView, now: Date): string | null {
  const { evidenceStatus, evidenceDueAt, evidenceSentAt, providerId } = dispute;
  const due = evidenceDueAt && formatDateTime(evidenceDueAt);
  switch (evidenceStatus) {
    case "needed":
      // A check asks soon. What has not arrived by then has to be sent again.
      if (evidenceSentAt && now.getTime() - evidenceSentAt.getTime() < ARRIVAL_PERIOD)
        return "O provedor não respondeu ao envio dos comprovantes: estamos conferindo.";
      if (isLate(dispute, now)) return `O prazo para os comprovantes terminou em ${due}.`;
      return due ? `O provedor aceita comprovantes até ${due}.` : "O provedor pede comprovantes.";
    case "in_review":
      return "O provedor recebeu os comprovantes. A resposta do banco pode levar meses.";
    case "accepted":
      return "O provedor aceitou os comprovantes.";
    case "rejected":
      return "O provedor não aceitou os comprovantes.";
    case "missed":
      return `O prazo para os comprovantes terminou${due ? ` em ${due}` : ""} sem nenhum envio.`;
    case "not_needed":
      return "O provedor não pede comprovantes para esta contestação.";
    case null:
      return providerId && "O provedor não informou se pede comprovantes: confira também no painel dele.";
  }
}
