import type { PaymentView } from "#app/ui/seller/refund-payment.tsx";

/** How far a refund is that was requested, or will be. */
export function RefundProgress({ payment }: { payment: PaymentView }) {
  return (
    <>
      {payment.isUnsent && (
        <p className="text-base-content/70">
          {requestedText(payment)}
          {payment.isDisputed
            ? "O pedido automático ao provedor espera a decisão do banco."
            : "O pedido automático ao provedor está na fila; não é preciso pedir."}
        </p>
      )}
      {payment.status === "requested" && !payment.isUnsent && (
        <p className="text-base-content/70">
          {requestedText(payment)}Pedido ao provedor em {payment.requestedAt}. Ele ainda não respondeu; não é
          preciso pedir de novo.
        </p>
      )}
      {payment.status === "accepted" && (
        <p className="text-base-content/70">
          {requestedText(payment)}Pedido em {payment.requestedAt}. O provedor aceitou devolver; esperamos que
          confirme a devolução.
        </p>
      )}
      {payment.status === "done" && payment.refundedAt && (
        <p className="text-base-content/70">
          {payment.isRefundRecorded ? "Marcado por você como reembolsado" : "Reembolsado"} em{" "}
          {payment.refundedAt}.
        </p>
      )}
    </>
  );
}

function requestedText({ requestedAmount }: PaymentView): string {
  return requestedAmount ? `Devolução de ${requestedAmount}. ` : "";
}
