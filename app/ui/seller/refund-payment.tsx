import type { ReactNode } from "react";
import { isUnderWay } from "#app/domain/refund/is-under-way.ts";
import type { PaymentKind, RefundState } from "#app/domain/sale/payments.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Badge } from "#app/ui/seller/badge.tsx";
import { CancelledPayment } from "#app/ui/seller/cancelled-payment.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { DismissForm, dismissed } from "#app/ui/seller/dismiss-refund.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { PanelForm, RefundForm } from "#app/ui/seller/refund-form.tsx";
import { RefundProgress } from "#app/ui/seller/sale/refund-progress.tsx";

/** A payment for display: money and times as text. */
export type PaymentView = {
  chargeId: string;
  amount: string;
  paidAt: string;
  /** The amount not refunded yet, as text and in cents. */
  left: string;
  leftCents: number;
  /** Whether the provider can refund a part of it. */
  partial: boolean;
  /** Since when the provider reports it as cancelled; null while it does not. */
  cancelledSince: string | null;
  /** When the seller confirmed that the money was not returned; null before. */
  cancelledCheckedAt: string | null;
  kind: PaymentKind;
  status: RefundState;
  /** Whether it does not count, and is disputed: its bank decides. */
  isDisputed: boolean;
  reason: string | null;
  requestedAt: string | null;
  /** Whether its refund is automatic and is sent to its provider later. */
  isUnsent: boolean;
  /** When the seller dismissed a refused or unconfirmed refund; null before. */
  dismissedAt: string | null;
  /** Whether it can be dismissed now. */
  mayDismiss: boolean;
  /** The part of it that is being refunded; null if that is all that is left. */
  requestedAmount: string | null;
  refundedAt: string | null;
  /** Whether the seller recorded the refund themselves. */
  isRefundRecorded: boolean;
  /** Until when the provider refunds it; null when that is over. */
  until: string | null;
  /** For how many days after the payment it does. */
  withinDays: number;
};

const BADGES: Record<RefundState, ReactNode> = {
  none: null,
  requested: <Badge tone="warning">Reembolso pedido</Badge>,
  accepted: <Badge tone="info">Reembolso aceito</Badge>,
  refused: <Badge tone="error">Reembolso recusado</Badge>,
  unconfirmed: <Badge tone="warning">Reembolso não confirmado</Badge>,
  part: <Badge tone="neutral">Reembolsado em parte</Badge>,
  done: <Badge tone="neutral">Reembolsado</Badge>,
  contested: <Badge tone="neutral">Contestado no banco</Badge>,
};

const WHOLE =
  "Todo o valor que resta volta a quem pagou e o acesso do comprador termina. Não dá para desfazer. A taxa do provedor normalmente não é devolvida.";

const KIND_TEXTS: Record<PaymentKind, string> = {
  counts: "",
  overpayment: " (em dobro)",
  "amount-mismatch": " (valor diferente)",
};

/** The payment in a button's label; a single payment needs no name. */
function named({ kind, left }: PaymentView, isOnly: boolean): string {
  if (kind === "overpayment") return `o pagamento em dobro, ${left}`;
  if (kind === "amount-mismatch") return `o PIX de outro valor, ${left}`;
  return isOnly ? left : `o pagamento da venda, ${left}`;
}

/** One payment: its refund's state, and its buttons. */
export function RefundPayment(props: {
  saleId: string;
  payment: PaymentView;
  isCompleted: boolean;
  /** Whether its refund waits for the second confirmation. */
  isConfirming: boolean;
  isOnly: boolean;
}) {
  const { saleId, payment } = props;
  const isExtra = payment.kind !== "counts";
  const isOpen = isExtra || props.isCompleted;
  const name = named(payment, props.isOnly);
  const mayRetry = payment.status === "refused" || payment.status === "unconfirmed";
  const canRequest =
    isOpen &&
    !payment.isDisputed &&
    payment.until !== null &&
    (payment.status === "none" || payment.status === "part" || mayRetry);
  return (
    <div className="flex flex-col gap-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>
          <strong className="font-semibold">{payment.amount}</strong>{" "}
          <span className="text-base-content/70">
            pago em {payment.paidAt}
            {KIND_TEXTS[payment.kind]}
          </span>
        </p>
        <span className="flex flex-wrap gap-2">
          {payment.isUnsent ? <Badge tone="info">Reembolso automático</Badge> : BADGES[payment.status]}
          {payment.isDisputed && payment.status !== "done" && BADGES.contested}
        </span>
      </div>
      {payment.cancelledSince && <CancelledPayment saleId={saleId} payment={payment} />}
      {payment.dismissedAt ? (
        <p className="text-base-content/70">{dismissed(payment)}</p>
      ) : (
        <>
          {payment.status === "refused" && (
            <Alert tone="error" text={payment.reason ?? "Reembolso recusado."} />
          )}
          {payment.status === "unconfirmed" && payment.reason && (
            <Alert tone="warning" text={payment.reason} />
          )}
        </>
      )}
      <RefundProgress payment={payment} />
      {payment.isDisputed && payment.status !== "done" && (
        <Alert
          tone="warning"
          live={false}
          text="Este pagamento está contestado no banco de quem pagou. Não o devolva agora: o valor poderia voltar duas vezes. Espere a decisão do banco."
        />
      )}
      {isOpen &&
        !payment.isDisputed &&
        payment.until === null &&
        payment.status !== "done" &&
        !isUnderWay(payment.status) && (
          <p className="text-base-content/70">
            O prazo de {payment.withinDays} dias para devolver o pagamento pelo provedor terminou. Devolva
            pelo banco e marque aqui.
          </p>
        )}
      {canRequest && !isExtra && props.isConfirming && (
        <div className="flex flex-col gap-3 rounded-box border border-warning p-4">
          <p className="font-semibold">Reembolsar {name}?</p>
          <p>{WHOLE}</p>
          <PanelForm saleId={saleId} intent="refund" chargeId={payment.chargeId} label="Reembolsar">
            <SecondConfirmation payment={payment} />
          </PanelForm>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {canRequest && (
          <ConfirmDialog
            trigger={mayRetry ? `Tentar de novo: ${name}` : `Reembolsar ${name}`}
            triggerClassName="btn h-auto min-h-11 max-w-full whitespace-normal border-base-300 py-2"
            title={`Reembolsar ${name}?`}
            text={isExtra ? "Este pagamento volta a quem pagou. A venda continua como está." : WHOLE}
          >
            <PanelForm saleId={saleId} intent="refund" chargeId={payment.chargeId} label="Reembolsar">
              {!isExtra && <SecondConfirmation payment={payment} />}
            </PanelForm>
          </ConfirmDialog>
        )}
        {canRequest && payment.partial && !isExtra && <PartForm saleId={saleId} payment={payment} />}
        {payment.mayDismiss && <DismissForm saleId={saleId} payment={payment} />}
        {isExtra && payment.status !== "done" && !isUnderWay(payment.status) && (
          <ConfirmDialog
            trigger="Já devolvi pelo banco"
            triggerClassName="btn min-h-11 border-base-300 font-normal"
            title="Marcar este pagamento como reembolsado?"
            text="Use quando você já devolveu este pagamento pelo banco. Nada é pedido ao provedor, e o comprador recebe um e-mail."
          >
            <PanelForm saleId={saleId} intent="record-surplus" chargeId={payment.chargeId} label="Marcar" />
          </ConfirmDialog>
        )}
      </div>
      {canRequest && payment.until && (
        <p className="text-base-content/70 text-xs">O provedor devolve este pagamento até {payment.until}.</p>
      )}
    </div>
  );
}

/** Refunding a completed sale's own payment needs a second confirmation. */
function SecondConfirmation({ payment }: { payment: PaymentView }) {
  return (
    <label className="flex w-full items-start gap-3 text-sm">
      <input type="checkbox" name="confirm" value="sale" required className="checkbox mt-0.5" />
      <span>
        Sim, devolver o pagamento desta venda, de {payment.paidAt}, e encerrar o acesso do comprador.
      </span>
    </label>
  );
}

/** Refunds a part: the sale stays completed and its buyer has access until nothing is left. */
function PartForm({ saleId, payment }: { saleId: string; payment: PaymentView }) {
  const id = `parte-${payment.chargeId}`;
  return (
    <ConfirmDialog
      trigger="Reembolsar uma parte"
      triggerClassName="btn min-h-11 border-base-300 font-normal"
      title="Reembolsar uma parte?"
      text={`O valor volta a quem pagou. O comprador mantém o acesso. Resta devolver no máximo ${payment.left}.`}
    >
      <RefundForm saleId={saleId} className="contents">
        <input type="hidden" name="charge_id" value={payment.chargeId} />
        <input type="hidden" name="left" value={payment.leftCents} />
        <label htmlFor={id} className="mb-2 flex w-full flex-col gap-1 text-sm">
          Valor a devolver
          <input
            id={id}
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            required
            placeholder="19,90"
            className="input min-h-11 w-full"
          />
        </label>
        <SubmitButton
          intent="refund-part"
          fetcherKey={`refund/${saleId}`}
          pending="Enviando..."
          className="btn-error order-1"
        >
          Reembolsar esta parte
        </SubmitButton>
      </RefundForm>
    </ConfirmDialog>
  );
}
