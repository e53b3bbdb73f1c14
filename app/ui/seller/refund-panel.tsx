import { isUnderWay } from "#app/domain/refund/is-under-way.ts";
import { salePaymentOf } from "#app/domain/sale/payments.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { PanelForm } from "#app/ui/seller/refund-form.tsx";
import { type PaymentView, RefundPayment } from "#app/ui/seller/refund-payment.tsx";

/** A sale's payments for display: money and times as text. */
export type RefundPanelView = {
  saleId: string;
  saleStatus: string;
  /** Whether it cost nothing. */
  isFree: boolean;
  payments: PaymentView[];
};

const EFFECT_TEXTS = {
  whole: "Devolve o valor inteiro a quem pagou e encerra o acesso do comprador.",
  part: "Devolve o valor, inteiro ou em parte, a quem pagou. O acesso do comprador termina quando tudo voltou.",
  beside: "Devolve o valor a quem pagou. O acesso do comprador não muda.",
};

/** Whether it was not refunded yet, and no refund of it is under way; the bank decides about a disputed one. */
function isToRefund({ status, isDisputed }: PaymentView): boolean {
  return status !== "done" && !isUnderWay(status) && !isDisputed;
}

/** The effect of a refund that can still be requested; undefined if none can. */
function describeEffect({ payments, saleStatus, isFree }: RefundPanelView): string | undefined {
  if (isFree && payments.length === 0) return "Esta compra foi de graça: não há o que devolver.";
  const refundable = payments.filter(
    (payment) => isToRefund(payment) && (payment.kind !== "counts" || saleStatus === "completed"),
  );
  if (refundable.length === 0) return undefined;
  if (refundable.every(({ kind }) => kind !== "counts")) return EFFECT_TEXTS.beside;
  const effect = EFFECT_TEXTS[refundable.some(({ partial }) => partial) ? "part" : "whole"];
  const isAlone = refundable.every(({ kind }) => kind === "counts");
  return isAlone ? effect : `${effect} Devolver só o que chegou a mais não muda o acesso.`;
}

/**
 * Refunds of a sale: request one from the provider, retry, or record a bank transfer. Nothing before a payment.
 * @param confirmingChargeId the payment whose refund was submitted without the second confirmation, which is shown open
 */
export function RefundPanel({
  refund,
  confirmingChargeId,
}: {
  refund: RefundPanelView;
  confirmingChargeId: string | null;
}) {
  const isCompleted = refund.saleStatus === "completed";
  const toRefund = refund.payments.filter(isToRefund);
  const hasOverpayment = toRefund.some(({ kind }) => kind === "overpayment");
  const hasWrong = toRefund.some(({ kind }) => kind === "amount-mismatch");
  const isDisputed = refund.saleStatus === "disputed";
  if (!isCompleted && !isDisputed && refund.payments.every((p) => p.kind === "counts" && p.status === "none"))
    return null;
  const counting = salePaymentOf(refund.payments);
  const left = counting ? `, de ${counting.left}` : "";
  const record = refund.isFree ? "Encerrar o acesso" : "Marcar como reembolsada";
  const isPending = refund.payments.some((p) => p.kind === "counts" && isUnderWay(p.status));
  return (
    <Card id="reembolso" title="Reembolso" text={describeEffect(refund)}>
      <div className="flex flex-col gap-5">
        {hasOverpayment && (
          <Alert tone="warning" text="Esta venda foi paga mais de uma vez. Devolva o pagamento em dobro." />
        )}
        {hasWrong && (
          <Alert
            tone="warning"
            text="Chegou um PIX de outro valor, que não contou como pagamento. Devolva-o ou combine com o comprador."
          />
        )}
        {refund.payments.map((payment) => (
          <RefundPayment
            key={payment.chargeId}
            saleId={refund.saleId}
            payment={payment}
            isCompleted={isCompleted}
            isConfirming={confirmingChargeId === payment.chargeId}
            isOnly={refund.payments.length === 1}
          />
        ))}
        {isDisputed && (
          <Alert
            tone="warning"
            text="Este pagamento está contestado: quem decide agora é o banco, e um reembolso pelo provedor poderia devolver o valor duas vezes."
          />
        )}
        {(isCompleted || isDisputed) && !isPending && (
          <div className="flex flex-wrap gap-2 border-base-300 not-first:border-t not-first:pt-5">
            <ConfirmDialog
              trigger={record}
              triggerClassName="btn min-h-11 border-base-300 font-normal"
              title={`${record}?`}
              text={
                refund.isFree
                  ? "Esta compra foi de graça: nada é devolvido. O acesso do comprador termina, a venda fica como reembolsada e ele recebe um e-mail."
                  : `Use quando você já devolveu o pagamento desta venda${left}, pelo banco. Nada é pedido ao provedor, o acesso do comprador termina e ele recebe um e-mail.`
              }
            >
              <PanelForm saleId={refund.saleId} intent="record-refund" label={record} />
            </ConfirmDialog>
          </div>
        )}
      </div>
    </Card>
  );
}
