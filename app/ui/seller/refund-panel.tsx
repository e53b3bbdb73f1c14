import { Card } from "#app/ui/seller/card.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { Notice } from "#app/ui/seller/notice.tsx";
import { PanelForm } from "#app/ui/seller/refund-form.tsx";
import { isUnderWay, RefundPayment, type ShownPayment } from "#app/ui/seller/refund-payment.tsx";

/** A sale's payments as they are shown: money and moments as text. */
export type ShownRefund = {
  saleId: string;
  saleStatus: string;
  payments: ShownPayment[];
};

const WHAT_IT_DOES = {
  whole: "Devolve o valor inteiro à conta que pagou e encerra o acesso do comprador.",
  part: "Devolve o valor, inteiro ou em parte, à conta que pagou. O acesso do comprador termina quando tudo voltou.",
  beside: "Devolve o valor à conta que pagou. O acesso do comprador não muda.",
};

/** What a refund does of what can still be asked for; nothing where nothing can. */
function whatItDoes({ payments, saleStatus }: ShownRefund): string | undefined {
  const left = payments.filter(
    ({ role, status }) => status !== "done" && (role !== "counts" || saleStatus === "completed"),
  );
  if (left.length === 0) return undefined;
  if (left.every(({ role }) => role !== "counts")) return WHAT_IT_DOES.beside;
  const what = WHAT_IT_DOES[left.some(({ partial }) => partial) ? "part" : "whole"];
  const isAlone = left.every(({ role }) => role === "counts");
  return isAlone ? what : `${what} Devolver só o que chegou a mais não muda o acesso.`;
}

/**
 * Refunds of a sale: ask the provider, try again, or record what happened at the bank. Nothing while nothing was paid.
 * `asked`: the payment that was to be given back without the second confirmation, whose question stands open.
 */
export function RefundPanel({ refund, asked }: { refund: ShownRefund; asked: string | null }) {
  const isCompleted = refund.saleStatus === "completed";
  const isToGoBack = ({ role, status }: ShownPayment, of: "surplus" | "wrong") =>
    role === of && status !== "done" && !isUnderWay(status);
  const hasSurplus = refund.payments.some((payment) => isToGoBack(payment, "surplus"));
  const hasWrong = refund.payments.some((payment) => isToGoBack(payment, "wrong"));
  const isDisputed = refund.saleStatus === "disputed";
  if (!isCompleted && !isDisputed && refund.payments.every((p) => p.role === "counts" && p.status === "none"))
    return null;
  const counting = refund.payments.find(({ role }) => role === "counts");
  const left = counting ? `, de ${counting.left}` : "";
  const isPending = refund.payments.some((p) => p.role === "counts" && isUnderWay(p.status));
  return (
    <Card title="Reembolso" text={whatItDoes(refund)}>
      <div id="reembolso" className="flex flex-col gap-5">
        {hasSurplus && (
          <Notice tone="warning" text="Esta venda foi paga mais de uma vez. Devolva o pagamento em dobro." />
        )}
        {hasWrong && (
          <Notice
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
            isAsked={asked === payment.chargeId}
            isOnly={refund.payments.length === 1}
          />
        ))}
        {isDisputed && (
          <Notice
            tone="warning"
            text="Este pagamento está contestado: quem decide agora é o banco, e um reembolso pelo provedor poderia devolver o valor duas vezes."
          />
        )}
        {(isCompleted || isDisputed) && !isPending && (
          <div className="flex flex-wrap gap-2 border-base-300 border-t pt-5">
            <ConfirmDialog
              trigger="Marcar como reembolsada"
              triggerClassName="btn min-h-11 border-base-300 font-normal"
              title="Marcar como reembolsada?"
              text={`Use quando você já devolveu o pagamento desta venda${left}, pelo banco. Nada é pedido ao provedor, o acesso do comprador termina e ele recebe um e-mail.`}
            >
              <PanelForm saleId={refund.saleId} intent="record-refund" label="Marcar como reembolsada" />
            </ConfirmDialog>
          </div>
        )}
      </div>
    </Card>
  );
}
