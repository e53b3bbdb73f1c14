import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { Notice } from "#app/ui/seller/notice.tsx";
import { PanelForm } from "#app/ui/seller/refund-form.tsx";

/** Moments as text; `cancelledCheckedAt` is null while the seller has not said that the money did not go back. */
type Payment = { cancelledSince: string | null; cancelledCheckedAt: string | null };

/** A payment that its provider calls cancelled: only the seller can find out whether the money went back. */
export function CancelledPayment({ saleId, payment }: { saleId: string; payment: Payment }) {
  const { cancelledSince, cancelledCheckedAt } = payment;
  const since = `Desde ${cancelledSince} o provedor diz “cancelado” deste PIX, que foi pago.`;
  if (cancelledCheckedAt)
    return (
      <p className="text-base-content/70">
        {since} Em {cancelledCheckedAt} você conferiu que o valor não voltou.
      </p>
    );
  return (
    <>
      <Notice
        tone="warning"
        text={`${since} Ele não diz se o valor voltou a quem pagou: confira no painel do provedor. Se voltou, use “Marcar como reembolsada”; se não, “O valor não voltou”.`}
      />
      <div>
        <ConfirmDialog
          trigger="O valor não voltou"
          triggerClassName="btn min-h-11 border-base-300 font-normal"
          title="Encerrar este aviso?"
          text="Use depois de conferir no painel do provedor que o valor não voltou a quem pagou. A venda continua paga, e nada é pedido ao provedor."
        >
          <PanelForm saleId={saleId} intent="not-returned" label="Encerrar o aviso" />
        </ConfirmDialog>
      </div>
    </>
  );
}
