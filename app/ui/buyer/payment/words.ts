import type { Payment } from "#app/domain/sale/payments.ts";
import { formatDate } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";

/** What a buyer reads of payments that do not count, and of parts that went back: a sentence each, with sum and day. */
export function paymentNotes(
  payments: Payment[],
  sale: { amountCents: number; sellerName: string },
): string[] {
  return payments.flatMap((payment) => {
    const { kind, receivedCents, paidAt } = payment;
    if (kind === "counts") return isPartBack(payment) ? [partBack(payment)] : [];
    const came = `de ${formatMoney(receivedCents)} em ${formatDate(paidAt)}`;
    if (kind === "overpayment")
      return [
        `Recebemos um pagamento em dobro ${came}. ${wayBack(payment, `Avisamos ${sale.sellerName}, que deve devolvê-lo.`)}`,
      ];
    const mismatch = `Recebemos um PIX ${came}, diferente do valor do pedido (${formatMoney(sale.amountCents)}): ele não vale como pagamento.`;
    const todo = `Avisamos ${sale.sellerName}, que devolve o valor ou combina com você.`;
    return [`${mismatch} ${wayBack(payment, todo)}`];
  });
}

function partBack({ refundedCents, refundedAt }: Payment): string {
  return `${formatMoney(refundedCents)} desta compra foram devolvidos${on(refundedAt)}.`;
}

/** Also while another part, or the rest, is on its way. */
function isPartBack({ refundedCents, receivedCents }: Payment): boolean {
  return refundedCents > 0 && refundedCents < receivedCents;
}

function wayBack(payment: Payment, todo: string): string {
  const part = `${formatMoney(payment.refundedCents)} dele foram devolvidos${on(payment.refundedAt)}. `;
  return `${isPartBack(payment) ? part : ""}${rest(payment, todo)}`;
}

/** Requested, accepted and done are three sentences. */
function rest(payment: Payment, todo: string): string {
  switch (payment.refund) {
    case "requested":
      return "A devolução foi pedida ao provedor de pagamento, que ainda não respondeu.";
    case "accepted":
      return "O provedor de pagamento aceitou devolvê-lo: o dinheiro está a caminho da conta que pagou.";
    case "done":
      return `Ele foi devolvido${on(payment.refundedAt)}.`;
    default:
      return todo;
  }
}

function on(at: Date | null): string {
  return at ? ` em ${formatDate(at)}` : "";
}
