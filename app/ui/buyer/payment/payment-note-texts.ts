import type { Payment } from "#app/domain/sale/payments.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { formatDate } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";

type PaidFor = { status: SaleStatus; sellerName: string };

/** Texts about payments that do not count, and about refunds: one sentence each, with amount and day. */
export function paymentNotes(payments: Payment[], sale: PaidFor): string[] {
  return payments.flatMap((payment) => {
    const { kind, receivedCents, paidAt } = payment;
    if (kind === "counts")
      return [
        isPartlyRefunded(payment) ? partRefundNote(payment) : null,
        refundStateText(payment, sale),
      ].filter((s) => s !== null);
    const receivedText = `de ${formatMoney(receivedCents)} em ${formatDate(paidAt)}`;
    if (kind === "overpayment")
      return [
        `Recebemos um pagamento em dobro ${receivedText}. ${refundNote(payment, sale.sellerName, `Avisamos ${sale.sellerName}, que deve devolvê-lo.`)}`,
      ];
    // The order may cost more by now, as a card's price.
    const mismatch = `Recebemos um PIX ${receivedText}, diferente do valor do pedido (${formatMoney(payment.expectedCents!)}): ele não vale como pagamento.`;
    const todo = `Avisamos ${sale.sellerName}, que devolve o valor ou combina com você.`;
    return [`${mismatch} ${refundNote(payment, sale.sellerName, todo)}`];
  });
}

/**
 * The state of refunding the payment of a purchase that is still completed: requested, accepted, unconfirmed and not done
 * are four sentences. Null if there is no refund, if the provider refused at once, or if it is done.
 */
export function refundStateText({ refund, lastRefund }: Payment, sale: PaidFor): string | null {
  if (!lastRefund || sale.status !== "completed") return null;
  const { amountCents, requestedAt, acceptedAt, dismissedAt } = lastRefund;
  const sum = formatMoney(amountCents);
  switch (refund) {
    case "requested":
      return `A devolução de ${sum} foi pedida ao provedor de pagamento${on(requestedAt)}. Ele ainda não respondeu.`;
    case "accepted":
      return `O provedor de pagamento aceitou devolver ${sum}${on(acceptedAt)}: o dinheiro está a caminho de quem pagou.`;
    case "refused":
      return acceptedAt
        ? `A devolução de ${sum}, pedida${on(requestedAt)}, não aconteceu: o provedor de pagamento a tinha aceitado, e depois recusou. A compra continua paga, e o acesso continua. Em caso de dúvida, fale com ${sale.sellerName}.`
        : null;
    case "unconfirmed":
      return dismissedAt
        ? `A devolução de ${sum}, pedida${on(requestedAt)}, não aconteceu: ${sale.sellerName} conferiu${on(dismissedAt)} que o valor não voltou. A compra continua paga, e o acesso continua.`
        : `A devolução de ${sum} foi pedida ao provedor de pagamento${on(requestedAt)}${acceptedAt ? " e aceita por ele" : ""}, mas ele não confirmou que a fez. Confira a conta ou o cartão que pagou; em caso de dúvida, fale com ${sale.sellerName}. Enquanto isso, o acesso continua.`;
    default:
      return null;
  }
}

/** The same for a receipt, in a few words. */
export function refundFact({ refund, lastRefund }: Payment, sale: PaidFor): string | null {
  if (!lastRefund || sale.status !== "completed") return null;
  const { amountCents, requestedAt, acceptedAt, dismissedAt } = lastRefund;
  const sum = formatMoney(amountCents);
  switch (refund) {
    case "requested":
      return `${sum}: pedida ao provedor de pagamento${on(requestedAt)}, ainda sem resposta`;
    case "accepted":
      return `${sum}: aceita pelo provedor de pagamento${on(acceptedAt)}, ainda não feita`;
    case "refused":
      return acceptedAt ? `${sum}: não aconteceu. O provedor de pagamento recusou, depois de aceitar` : null;
    case "unconfirmed":
      return dismissedAt
        ? `${sum}: não aconteceu. ${sale.sellerName} conferiu${on(dismissedAt)} que o valor não voltou`
        : `${sum}: pedida${on(requestedAt)}, não confirmada pelo provedor de pagamento`;
    default:
      return null;
  }
}

function partRefundNote({ refundedCents, refundedAt }: Payment): string {
  return `${formatMoney(refundedCents)} desta compra foram devolvidos${on(refundedAt)}.`;
}

/** Also while another part, or the rest, is being refunded. */
function isPartlyRefunded({ refundedCents, receivedCents }: Payment): boolean {
  return refundedCents > 0 && refundedCents < receivedCents;
}

function refundNote(payment: Payment, sellerName: string, todo: string): string {
  const part = `${formatMoney(payment.refundedCents)} dele foram devolvidos${on(payment.refundedAt)}. `;
  return `${isPartlyRefunded(payment) ? part : ""}${rest(payment, sellerName, todo)}`;
}

/** Scheduled, requested, accepted and done are four sentences, and what only the seller says is a fifth. */
function rest(payment: Payment, sellerName: string, todo: string): string {
  const isUnsent = payment.refund === "requested" && payment.lastRefund?.isUnsent;
  if (payment.isDisputed && (isUnsent || !["requested", "accepted", "done"].includes(payment.refund)))
    return "Ele está contestado no banco de quem pagou: é o banco que decide se o valor volta.";
  switch (payment.refund) {
    case "requested":
      return isUnsent
        ? "A devolução é automática: o pedido ao provedor de pagamento está na fila."
        : "A devolução foi pedida ao provedor de pagamento, que ainda não respondeu.";
    case "accepted":
      return "O provedor de pagamento aceitou devolvê-lo: o dinheiro está a caminho de quem pagou.";
    case "done":
      return payment.isRefundRecorded
        ? `${sellerName} informou que o devolveu${on(payment.refundedAt)}.`
        : `Ele foi devolvido${on(payment.refundedAt)}.`;
    case "unconfirmed":
      return `A devolução foi pedida ao provedor de pagamento, que não a confirmou. ${todo}`;
    default:
      return todo;
  }
}

function on(at: Date | null): string {
  return at ? ` em ${formatDate(at)}` : "";
}
