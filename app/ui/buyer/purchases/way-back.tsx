import { ChevronDown, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import type { WayBack } from "#app/domain/refund/asked/find-way-back.server.ts";
import { formatDate } from "#app/kit/dates.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { formatMoney } from "#app/kit/money.ts";

/** What the buyer typed and what is wrong with it, where it came back. */
export type AskedAgain = { reason: string; error: string | null };

type Shown = { way: WayBack; leftCents: number; sellerName: string; again: AskedAgain | null };

/** A purchase's way back: asked for here, and how it is going. */
export function WayBackCard({ way, leftCents, sellerName, again }: Shown) {
  const amount = formatMoney(leftCents);
  return (
    <section className="card stack" aria-labelledby="devolucao">
      <h2 id="devolucao">Devolução</h2>
      {say(way, amount, sellerName)}
      {(way.state === "right" || way.state === "question") && (
        <details className="way-back" open={again !== null}>
          <summary>
            <Undo2 aria-hidden size={18} /> <u>Pedir o dinheiro de volta</u>{" "}
            <ChevronDown aria-hidden size={18} />
          </summary>
          <AskForm way={way} amount={amount} sellerName={sellerName} again={again} />
        </details>
      )}
    </section>
  );
}

function say(way: WayBack, amount: string, sellerName: string): ReactNode {
  switch (way.state) {
    case "right":
      return (
        <p className="small">
          {requestedBy(sellerName, way.requestedAt)}
          Até o fim de <b>{lastDay(way.ends)}</b> você pode desistir e{" "}
          {way.byHand ? `tem direito a ${amount}` : `recebe ${amount}`} de volta, sem precisar explicar.
          {way.byHand && ` ${byHandOf(sellerName)}`}
        </p>
      );
    case "question":
      return (
        <p className="small">
          {requestedBy(sellerName, way.requestedAt)}O prazo para desistir passou. Você ainda pode pedir:{" "}
          {sellerName} decide e responde em até 7 dias.
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
          {requestedBy(sellerName, way.requestedAt)}Avisamos por e-mail quando o valor for devolvido.
        </p>
      );
    case "asked":
      return (
        <p className="small">
          <b>Pedido de reembolso recebido em {formatDate(way.askedAt)}.</b> Estamos pedindo {amount} de volta
          ao provedor de pagamento. Avisamos por e-mail assim que ele responder.
        </p>
      );
    case "delayed":
      return (
        <p className="small">
          <b>Pedido de reembolso recebido em {formatDate(way.askedAt)}.</b> O provedor de pagamento ainda não
          devolveu os {amount}. Avisamos {sellerName} e vamos tentar de novo: você não precisa pedir outra
          vez.
        </p>
      );
    case "by-hand":
      return (
        <p className="small">
          <b>Pedido de reembolso recebido em {formatDate(way.askedAt)}.</b> Você tem direito a {amount} de
          volta. {byHandOf(sellerName)} Escreva a quem vendeu com a sua chave PIX: o contato está no fim desta
          página.
        </p>
      );
    case "waiting":
      return (
        <p className="small">
          <b>
            Pedido enviado a {sellerName} em {formatDate(way.askedAt)}.
          </b>{" "}
          {way.isLate
            ? `A resposta devia ter vindo até ${formatDate(way.due)}. Fale com quem vendeu: o contato está no fim desta página.`
            : `A resposta vem até ${formatDate(way.due)}, aqui e por e-mail.`}
        </p>
      );
    case "declined":
      return (
        <>
          <p className="small">
            <b>{sellerName} não aceitou o pedido</b> em {formatDate(way.answeredAt)} e respondeu:
          </p>
          <blockquote className="small said-words">{way.words}</blockquote>
        </>
      );
  }
}

/** The seller asked for it, and the provider has not answered. */
function requestedBy(sellerName: string, at: Date | null): string {
  if (!at) return "";
  return `${sellerName} pediu a devolução ao provedor de pagamento em ${formatDate(at)}, e ele ainda não respondeu. `;
}

/** The provider gives it back no more. */
function byHandOf(sellerName: string): string {
  return `O provedor de pagamento não devolve mais este pagamento: quem devolve é ${sellerName}, por transferência.`;
}

function AskForm({
  way,
  amount,
  sellerName,
  again,
}: { way: WayBack; amount: string } & Omit<Shown, "way" | "leftCents">) {
  const isRight = way.state === "right";
  const byHand = way.state === "right" && way.byHand;
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
          defaultValue={again?.reason}
          aria-invalid={again?.error ? true : undefined}
          aria-describedby={again?.error ? "reason-erro" : undefined}
        />
        {again?.error && (
          <p className="error" id="reason-erro">
            {again.error}
          </p>
        )}
      </div>
      <p className="fine">
        {isRight
          ? `${byHand ? `${sellerName} devolve ${amount} por transferência` : `${amount} voltam para a conta que pagou`}. Quando o valor for devolvido, o acesso a esta compra termina.`
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
          {byHand ? "Desistir da compra" : isRight ? `Desistir e receber ${amount}` : "Enviar o pedido"}
        </span>
      </button>
    </form>
  );
}

/** The day that a moment ends. */
function lastDay(ends: Date): string {
  return formatDate(new Date(ends.getTime() - MINUTE));
}
