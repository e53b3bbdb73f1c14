import { ChevronDown, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import type { RefundRequestState } from "#app/domain/refund/request/find-refund-request-state.server.ts";
import { formatDate } from "#app/kit/dates.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { formatMoney } from "#app/kit/money.ts";

/** What the buyer typed, and its error, after a refused submit. */
export type RefundFormReply = { reason: string; error: string | null };

type RefundRequestView = {
  refundRequest: RefundRequestState;
  leftCents: number;
  sellerName: string;
  formReply: RefundFormReply | null;
};

/** A purchase's refund: the form to request it, or its state. */
export function RefundRequestCard({ refundRequest, leftCents, sellerName, formReply }: RefundRequestView) {
  const amount = formatMoney(leftCents);
  return (
    <section className="card stack" aria-labelledby="devolucao">
      <h2 id="devolucao">Devolução</h2>
      {describeState(refundRequest, amount, sellerName)}
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
            formReply={formReply}
          />
        </details>
      )}
    </section>
  );
}

function describeState(refundRequest: RefundRequestState, amount: string, sellerName: string): ReactNode {
  switch (refundRequest.state) {
    case "right":
      return (
        <p className="small">
          {sellerRequestText(sellerName, refundRequest.requestedAt)}
          Até o fim de <b>{lastDay(refundRequest.endsAt)}</b> você pode desistir e{" "}
          {refundRequest.isManual ? `tem direito a ${amount}` : `recebe ${amount}`} de volta, sem precisar
          explicar.
          {refundRequest.isManual && ` ${manualRefundText(sellerName)}`}
        </p>
      );
    case "question":
      return (
        <p className="small">
          {sellerRequestText(sellerName, refundRequest.requestedAt)}O prazo para desistir passou. Você ainda
          pode pedir: {sellerName} decide e responde em até 7 dias.
        </p>
      );
    case "on-its-way":
      return (
        <p className="small">
          <b>O provedor de pagamento aceitou devolver: o dinheiro está a caminho.</b> {amount} voltam para a
          conta que pagou. Avisamos por e-mail quando o valor for devolvido.
        </p>
      );
    case "requested":
      return (
        <p className="small">
          {sellerRequestText(sellerName, refundRequest.requestedAt)}Avisamos por e-mail quando o valor for
          devolvido.
        </p>
      );
    case "asked":
      return (
        <p className="small">
          <b>Pedido de reembolso recebido em {formatDate(refundRequest.requestedByBuyerAt)}.</b> Estamos
          pedindo {amount} de volta ao provedor de pagamento. Avisamos por e-mail assim que ele responder.
        </p>
      );
    case "delayed":
      return (
        <p className="small">
          <b>Pedido de reembolso recebido em {formatDate(refundRequest.requestedByBuyerAt)}.</b> O provedor de
          pagamento ainda não devolveu os {amount}. Avisamos {sellerName} e vamos tentar de novo: você não
          precisa pedir outra vez.
        </p>
      );
    case "by-hand":
      return (
        <p className="small">
          <b>Pedido de reembolso recebido em {formatDate(refundRequest.requestedByBuyerAt)}.</b> Você tem
          direito a {amount} de volta. {manualRefundText(sellerName)} Escreva a quem vendeu com a sua chave
          PIX: o contato está no fim desta página.
        </p>
      );
    case "waiting":
      return (
        <p className="small">
          <b>
            Pedido enviado a {sellerName} em {formatDate(refundRequest.requestedByBuyerAt)}.
          </b>{" "}
          {refundRequest.isLate
            ? `A resposta devia ter vindo até ${formatDate(refundRequest.due)}. Fale com quem vendeu: o contato está no fim desta página.`
            : `A resposta vem até ${formatDate(refundRequest.due)}, aqui e por e-mail.`}
        </p>
      );
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

/** The seller requested it, and the provider has not answered. */
function sellerRequestText(sellerName: string, at: Date | null): string {
  if (!at) return "";
  return `${sellerName} pediu a devolução ao provedor de pagamento em ${formatDate(at)}, e ele ainda não respondeu. `;
}

/** The provider no longer refunds it. */
function manualRefundText(sellerName: string): string {
  return `O provedor de pagamento não devolve mais este pagamento: quem devolve é ${sellerName}, por transferência.`;
}

function RequestForm({
  refundRequest,
  amount,
  sellerName,
  formReply,
}: { refundRequest: RefundRequestState; amount: string } & Omit<RefundRequestView, "way" | "leftCents">) {
  const isRight = refundRequest.state === "right";
  const isManual = refundRequest.state === "right" && refundRequest.isManual;
  return (
    <form method="post" noValidate className="stack">
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
          ? `${isManual ? `${sellerName} devolve ${amount} por transferência` : `${amount} voltam para a conta que pagou`}. Quando o valor for devolvido, o acesso a esta compra termina.`
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

/** The last day of a period. */
function lastDay(ends: Date): string {
  return formatDate(new Date(ends.getTime() - MINUTE));
}
