import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { PanelForm } from "#app/ui/seller/refund-form.tsx";
import type { PaymentView } from "#app/ui/seller/refund-payment.tsx";

/** The label of a dismissed refund. */
export function dismissed({ status, dismissedAt }: Pick<PaymentView, "status" | "dismissedAt">): string {
  return status === "refused"
    ? `O provedor recusou o reembolso. Em ${dismissedAt} você desistiu dele, e a venda continua paga.`
    : `O provedor não confirmou o reembolso. Em ${dismissedAt} você conferiu que o valor não voltou.`;
}

/** Dismisses a refund that was refused, or that did not happen: the sale stays paid. */
export function DismissForm({ saleId, payment }: { saleId: string; payment: PaymentView }) {
  const isRefused = payment.status === "refused";
  return (
    <ConfirmDialog
      trigger={isRefused ? "Desistir do reembolso" : "O valor não voltou"}
      triggerClassName="btn min-h-11 border-base-300 font-normal"
      title={isRefused ? "Desistir do reembolso?" : "Encerrar este aviso?"}
      text={
        isRefused
          ? "A venda continua paga, o comprador mantém o acesso, e nada é pedido ao provedor."
          : "Use depois de conferir no painel do provedor que o valor não voltou a quem pagou. A venda continua paga, e nada é pedido ao provedor."
      }
    >
      <PanelForm
        saleId={saleId}
        intent="dismiss"
        chargeId={payment.chargeId}
        label={isRefused ? "Desistir" : "Encerrar o aviso"}
      />
    </ConfirmDialog>
  );
}
