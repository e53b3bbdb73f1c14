import { Alert } from "#app/ui/seller/alert.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { PanelForm } from "#app/ui/seller/refund-form.tsx";

/** Times as text; `cancelledCheckedAt` is null until the seller confirms that the money was not returned. */
type Payment = { cancelledSince: string | null; cancelledCheckedAt: string | null };

/** A payment that its provider reports as cancelled: only the seller can find out whether the money was returned. */
export function CancelledPayment({ saleId, payment }: { saleId: string; payment: Payment }) {
  const { cancelledSince, cancelledCheckedAt } = payment;
  const since = `Desde ${cancelledSince} o provedor diz “cancelado” deste pagamento, que foi confirmado.`;
  if (cancelledCheckedAt)
    return (
      <p className="text-base-content/70">
        {since} Em {cancelledCheckedAt} você conferiu que o valor não voltou.
      </p>
    );
  return (
    <>
      <Alert
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
