import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Notice } from "#app/ui/seller/notice.tsx";
import { RefundForm } from "#app/ui/seller/refund-form.tsx";

/** A sale's payments as they are shown: money and moments as text. */
export type ShownRefund = {
  saleId: string;
  saleStatus: string;
  payments: ShownPayment[];
};

export type ShownPayment = {
  chargeId: string;
  amount: string;
  paidAt: string;
  /** What has not gone back. */
  left: string;
  /** Whether the provider can give back a part of it. */
  partial: boolean;
  /** `counts`: the sale's payment; `surplus`: a second one; `wrong`: of another amount than asked for. */
  role: "counts" | "surplus" | "wrong";
  status: "none" | "pending" | "refused" | "unconfirmed" | "part" | "done";
  why: string | null;
  requestedAt: string | null;
  refundedAt: string | null;
  /** Until when the provider gives it back; null when that is over. */
  until: string | null;
  /** For how many days after the payment it does. */
  withinDays: number;
};

const BADGES = {
  none: null,
  pending: <Badge tone="warning">Reembolso em andamento</Badge>,
  refused: <Badge tone="error">Reembolso recusado</Badge>,
  unconfirmed: <Badge tone="warning">Reembolso não confirmado</Badge>,
  part: <Badge tone="neutral">Reembolsado em parte</Badge>,
  done: <Badge tone="neutral">Reembolsado</Badge>,
};

const WHAT_IT_DOES = {
  whole: "Devolve o valor inteiro à conta que pagou e encerra o acesso do comprador.",
  part: "Devolve o valor, inteiro ou em parte, à conta que pagou. O acesso do comprador termina quando tudo voltou.",
};

const ROLES = { counts: "", surplus: " (em dobro)", wrong: " (valor diferente)" };

/** Refunds of a sale: ask the provider, try again, or record what happened at the bank. Nothing while nothing was paid. */
export function RefundPanel({ refund }: { refund: ShownRefund }) {
  const isCompleted = refund.saleStatus === "completed";
  const hasSurplus = refund.payments.some((payment) => payment.role === "surplus");
  const hasWrong = refund.payments.some((payment) => payment.role === "wrong");
  if (!isCompleted && !hasSurplus && !hasWrong && refund.payments.every((p) => p.status === "none"))
    return null;
  const isPending = refund.payments.some((p) => p.role === "counts" && p.status === "pending");
  return (
    <Card
      title="Reembolso"
      text={WHAT_IT_DOES[refund.payments.some(({ partial }) => partial) ? "part" : "whole"]}
    >
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
          <Payment
            key={payment.chargeId}
            saleId={refund.saleId}
            payment={payment}
            isCompleted={isCompleted}
          />
        ))}
        {isCompleted && (
          <div className="flex flex-wrap gap-2 border-base-300 border-t pt-5">
            {!isPending && (
              <ConfirmDialog
                trigger="Marcar como reembolsada"
                triggerClassName="btn min-h-11 border-base-300 font-normal"
                title="Marcar como reembolsada?"
                text="Use quando você já devolveu o valor pelo banco. Nada é pedido ao provedor, o acesso do comprador termina e ele recebe um e-mail."
              >
                <PanelForm saleId={refund.saleId} intent="record-refund" label="Marcar como reembolsada" />
              </ConfirmDialog>
            )}
            <ConfirmDialog
              trigger="Registrar contestação (MED)"
              triggerClassName="btn min-h-11 border-base-300 font-normal"
              title="Registrar contestação?"
              text="Use quando o banco do comprador retirou o valor pelo Mecanismo Especial de Devolução. O acesso do comprador termina."
            >
              <PanelForm saleId={refund.saleId} intent="chargeback" label="Registrar contestação" />
            </ConfirmDialog>
          </div>
        )}
      </div>
    </Card>
  );
}

function Payment(props: { saleId: string; payment: ShownPayment; isCompleted: boolean }) {
  const { saleId, payment } = props;
  const isExtra = payment.role !== "counts";
  const isOpen = isExtra || props.isCompleted;
  const mayAgain = payment.status === "refused" || payment.status === "unconfirmed";
  const canAsk =
    isOpen && payment.until !== null && (payment.status === "none" || payment.status === "part" || mayAgain);
  return (
    <div className="flex flex-col gap-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>
          <strong className="font-semibold">{payment.amount}</strong>{" "}
          <span className="text-base-content/70">
            pago em {payment.paidAt}
            {ROLES[payment.role]}
          </span>
        </p>
        {BADGES[payment.status]}
      </div>
      {payment.status === "refused" && <Notice tone="error" text={payment.why ?? "Reembolso recusado."} />}
      {payment.status === "unconfirmed" && payment.why && <Notice tone="warning" text={payment.why} />}
      {payment.status === "pending" && (
        <p className="text-base-content/70">
          Pedido em {payment.requestedAt}. Esperando a confirmação do provedor; não é preciso pedir de novo.
        </p>
      )}
      {payment.status === "done" && payment.refundedAt && (
        <p className="text-base-content/70">Reembolsado em {payment.refundedAt}.</p>
      )}
      {isOpen && payment.until === null && payment.status !== "done" && (
        <p className="text-base-content/70">
          O prazo de {payment.withinDays} dias para devolver o PIX pelo provedor terminou. Devolva pelo banco
          e marque aqui.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {canAsk && (
          <ConfirmDialog
            trigger={mayAgain ? "Tentar de novo" : `Reembolsar ${payment.left}`}
            triggerClassName="btn min-h-11 border-base-300"
            title={`Reembolsar ${payment.left}?`}
            text={
              isExtra
                ? "Este pagamento volta à conta que pagou. A venda continua como está."
                : "Todo o valor que resta volta à conta que pagou e o acesso do comprador termina. Não dá para desfazer. A taxa do provedor normalmente não é devolvida."
            }
          >
            <PanelForm saleId={saleId} intent="refund" chargeId={payment.chargeId} label="Reembolsar" />
          </ConfirmDialog>
        )}
        {canAsk && payment.partial && !isExtra && <PartForm saleId={saleId} payment={payment} />}
        {isExtra && payment.status !== "done" && payment.status !== "pending" && (
          <ConfirmDialog
            trigger="Já devolvi pelo banco"
            title="Marcar este pagamento como reembolsado?"
            text="Use quando você já devolveu este pagamento pelo banco. Nada é pedido ao provedor."
          >
            <PanelForm saleId={saleId} intent="record-surplus" chargeId={payment.chargeId} label="Marcar" />
          </ConfirmDialog>
        )}
      </div>
      {canAsk && payment.until && (
        <p className="text-base-content/70 text-xs">O provedor devolve este PIX até {payment.until}.</p>
      )}
    </div>
  );
}

/** Gives back a part: the sale stays completed and its buyer keeps the access until nothing is left. */
function PartForm({ saleId, payment }: { saleId: string; payment: ShownPayment }) {
  const id = `parte-${payment.chargeId}`;
  return (
    <ConfirmDialog
      trigger="Reembolsar uma parte"
      triggerClassName="btn min-h-11 border-base-300 font-normal"
      title="Reembolsar uma parte?"
      text={`O valor volta à conta que pagou. O comprador mantém o acesso. Resta devolver no máximo ${payment.left}.`}
    >
      <RefundForm saleId={saleId} className="flex w-full flex-wrap items-end gap-2">
        <input type="hidden" name="charge_id" value={payment.chargeId} />
        <label htmlFor={id} className="flex min-w-0 grow basis-40 flex-col gap-1 text-sm">
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
          className="btn-error"
        >
          Reembolsar esta parte
        </SubmitButton>
      </RefundForm>
    </ConfirmDialog>
  );
}

function PanelForm(props: { saleId: string; intent: string; chargeId?: string; label: string }) {
  return (
    <RefundForm saleId={props.saleId}>
      {props.chargeId && <input type="hidden" name="charge_id" value={props.chargeId} />}
      <SubmitButton
        intent={props.intent}
        fetcherKey={`refund/${props.saleId}`}
        pending="Enviando..."
        className="btn-error"
      >
        {props.label}
      </SubmitButton>
    </RefundForm>
  );
}
