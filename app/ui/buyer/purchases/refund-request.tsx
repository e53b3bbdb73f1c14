import { ChevronDown, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import type { RefundRequestState } from "#app/domain/refund/request/find-refund-request-state.server.ts";
import { lastGuaranteeDay } from "#app/domain/storefront/guarantee-end.ts";
import { formatDate } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { ErrorSummary } from "#app/ui/buyer/field.tsx";
import { manualRefundText, refundRequestText } from "#app/ui/buyer/payment/refund-request-texts.ts";

/** What the buyer typed, and its error, after a refused submit. */
export type RefundFormReply = { reason: string; error: string | null };

type RefundRequestView = {
  refundRequest: RefundRequestState;
  /** The state of the refund itself, where there is one. */
  note: string | null;
  leftCents: number;
  sellerName: string;
  /** When the seller closed the account, and so may not answer; null while it is open. */
  shopClosedAt: Date | null;
  formReply: RefundFormReply | null;
};

/** A purchase's refund: the form to request it, or its state. */
export function RefundRequestCard({
  refundRequest,
  note,
  leftCents,
  sellerName,
  shopClosedAt,
  formReply,
}: RefundRequestView) {
  const amount = formatMoney(leftCents);
  return (
    <section className="card stack" aria-labelledby="devolucao">
      <h2 id="devolucao">Devolução</h2>
      {note && <p className="small">{note}</p>}
      {describeState(refundRequest, amount, { sellerName, shopClosedAt })}
      {(refundRequest.state === "right" || refundRequest.state === "question") && (
        <details className="way-back" open={formReply !== null}>
          <summary>
            <Undo2 aria-hidden size={18} /> <u>Pedir o dinheiro de volta</u>{" "}
            <ChevronDown aria-hidden size={18} />
          </summary>
          <RequestForm
            refundRequest={refundRequest}
            amount={amount}
            sellerName={sellerName}
            shopClosedAt={shopClosedAt}
            formReply={formReply}
          />
        </details>
      )}
    </section>
  );
}

type Shop = Pick<RefundRequestView, "sellerName" | "shopClosedAt">;

function describeState(refundRequest: RefundRequestState, amount: string, shop: Shop): ReactNode {
  const { sellerName, shopClosedAt } = shop;
  switch (refundRequest.state) {
    case "right":
      return (
        <p className="small">
          Até o fim de <b>{lastGuaranteeDay(refundRequest.endsAt)}</b> você pode desistir e{" "}
          {refundRequest.isManual ? `tem direito a ${amount}` : `recebe ${amount}`} de volta, sem precisar
          explicar.
          {refundRequest.isManual && ` ${manualRefundText(sellerName)}`}
        </p>
      );
    case "question":
      return (
        <p className="small">
          O prazo para desistir passou. Você ainda pode pedir:{" "}
          {shopClosedAt
            ? `quem vendeu encerrou a loja, e a resposta pode não vir. Fale também com ${sellerName}: o contato está no fim desta página.`
            : `${sellerName} decide e responde em até 7 dias.`}
        </p>
      );
    case "on-its-way":
    case "requested":
      return <p className="small">Avisamos por e-mail quando o valor for devolvido.</p>;
    case "asked":
    case "delayed":
    case "by-hand":
    case "waiting": {
      const { lead, text } = refundRequestText(refundRequest, amount, shop);
      return (
        <p className="small">
          <b>{lead}</b> {text}
        </p>
      );
    }
    case "declined":
      return (
        <>
          <p className="small">
            <b>{sellerName} não aceitou o pedido</b> em {formatDate(refundRequest.answeredAt)} e respondeu:
          </p>
          <blockquote className="small said-words">{refundRequest.text}</blockquote>
        </>
      );
  }
}

function RequestForm({
  refundRequest,
  amount,
  sellerName,
  shopClosedAt,
  formReply,
}: { refundRequest: RefundRequestState; amount: string } & Shop & Pick<RefundRequestView, "formReply">) {
  const isRight = refundRequest.state === "right";
  const isManual = refundRequest.state === "right" && refundRequest.isManual;
  return (
    <form method="post" noValidate className="stack">
      <ErrorSummary errors={formReply?.error ? { reason: formReply.error } : {}} alert={null} />
      <div className="field">
        <label htmlFor="reason">{isRight ? "Motivo (se quiser contar)" : "Motivo"}</label>
        <textarea
          id="reason"
          name="reason"
          rows={3}
          maxLength={1000}
          required={!isRight}
          defaultValue={formReply?.reason}
          aria-invalid={formReply?.error ? true : undefined}
          aria-describedby={formReply?.error ? "reason-erro" : undefined}
        />
        {formReply?.error && (
          <p className="error" id="reason-erro">
            {formReply.error}
          </p>
        )}
      </div>
      <p className="fine">
        {isRight
          ? `${isManual ? `${sellerName} devolve ${amount} por transferência` : `${amount} voltam para quem pagou`}. Quando o valor for devolvido, o acesso a esta compra termina.`
          : shopClosedAt
            ? `${sellerName} recebe um aviso do pedido por e-mail, mas com a loja encerrada não lê o motivo nem responde por aqui.`
            : `${sellerName} lê o motivo e decide. Enquanto isso, seu acesso continua.`}
      </p>
      <button
        type="submit"
        name="intent"
        value="money-back"
        className="btn btn-main wide"
        data-busy="Pedindo..."
      >
        <span>
          {isManual ? "Desistir da compra" : isRight ? `Desistir e receber ${amount}` : "Enviar o pedido"}
        </span>
      </button>
    </form>
  );
}
