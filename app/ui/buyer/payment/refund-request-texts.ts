import type { OpenRefundRequest } from "#app/domain/refund/request/open-refund-request.ts";
import { type Payment, salePaymentOf } from "#app/domain/sale/payments.ts";
import { formatDate } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";

/** The state of the buyer's refund request, the same on every page: what was received, and what follows. */
export function refundRequestText(
  request: OpenRefundRequest,
  amount: string,
  { sellerName, shopClosedAt }: { sellerName: string; shopClosedAt: Date | null },
): { lead: string; text: string } {
  const day = formatDate(request.requestedByBuyerAt);
  const lead = `Pedido de reembolso recebido em ${day}.`;
  switch (request.state) {
    case "asked":
      return {
        lead,
        text: `Estamos pedindo ${amount} de volta ao provedor de pagamento. Avisamos por e-mail assim que ele responder.`,
      };
    case "delayed":
      return {
        lead,
        text: request.isUnconfirmed
          ? `O provedor de pagamento não confirmou que devolveu ${amount}. Avisamos ${sellerName}: o pedido continua valendo, e você não precisa pedir outra vez.`
          : `O provedor de pagamento ainda não devolveu ${amount}. Avisamos ${sellerName} e vamos tentar de novo: você não precisa pedir outra vez.`,
      };
    case "by-hand":
      return {
        lead,
        text: `Você tem direito a ${amount} de volta. ${manualRefundText(sellerName)} Escreva a ${sellerName} com a sua chave PIX.`,
      };
    case "waiting": {
      const sent = `Pedido de reembolso enviado a ${sellerName} em ${day}.`;
      // The seller of a closed account cannot answer, unless they reopen it.
      if (shopClosedAt)
        return {
          lead: sent,
          text: `Quem vendeu encerrou a loja, e a resposta pode não vir. Fale com ${sellerName}.`,
        };
      return {
        lead: sent,
        text: request.isLate
          ? `A resposta devia ter vindo até ${formatDate(request.due)}. Fale com ${sellerName}.`
          : `A resposta vem até ${formatDate(request.due)}, na página do recibo e por e-mail. Até lá, o acesso continua.`,
      };
    }
  }
}

/** The same for a purchase, as a list of notes: empty where no request is open. Money in cents. */
export function refundRequestNotes(purchase: {
  refundRequest: OpenRefundRequest | null;
  payments: Payment[];
  sellerName: string;
  shopClosedAt: Date | null;
}): string[] {
  const { refundRequest, payments } = purchase;
  const own = salePaymentOf(payments);
  if (!refundRequest || !own) return [];
  const amount = formatMoney(own.receivedCents - own.refundedCents);
  const { lead, text } = refundRequestText(refundRequest, amount, purchase);
  return [`${lead} ${text}`];
}

/** The provider no longer refunds it. */
export function manualRefundText(sellerName: string): string {
  return `O provedor de pagamento não devolve mais este pagamento: quem devolve é ${sellerName}, por transferência.`;
}
