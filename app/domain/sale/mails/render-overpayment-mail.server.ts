import type { OverpaymentMailData } from "#app/db/schema/mail-data.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { renderSellerMail } from "#app/domain/sale/mails/render-seller-mail.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";

const REASONS = {
  "fail-over":
    "Isto é automático porque a causa foi nossa: para o pedido não parar, o código PIX foi gerado de novo por outro provedor, e os dois códigos foram pagos.",
  setting: "Isto é automático porque você escolheu assim em Configurações, Gateways, Pagamentos em dobro.",
};

/** To the seller: a sale was paid twice, and the second payment is to be refunded, by them or automatically. */
export function renderOverpaymentMail(sale: MailedSale, data: OverpaymentMailData): WrittenMail {
  const { amountCents, refund, isDisputed, isDisputeRejected, isFirstReturned } = data;
  const amount = formatMoney(amountCents);
  const isRequested = refund?.state === "requested";
  const page = paths.sale(sale.id);
  const came = `Chegou mais um pagamento de <strong>${amount}</strong> para um pedido`;
  const paidTwice = isFirstReturned
    ? `${came} cujo pagamento já tinha sido devolvido.`
    : `${came} que já tinha sido pago: o comprador pagou duas vezes.`;
  const arrived = isDisputeRejected
    ? `O banco recusou a contestação do pagamento de <strong>${amount}</strong> que chegou a mais, e o valor continua com você.`
    : paidTwice;
  const cameBefore = `O pagamento de <strong>${amount}</strong> que chegou a mais foi contestado.`;
  const counts = isFirstReturned ? "A venda continua encerrada" : "A venda conta uma vez só";
  const name = isFirstReturned ? "Pagamento de uma venda encerrada" : "Pagamento em dobro";
  const title = isFirstReturned
    ? "Chegou um pagamento de uma venda encerrada"
    : "Um pedido foi pago duas vezes";
  if (isDisputed)
    return renderSellerMail(sale, {
      subject: `${name}, contestado: ${amount}`,
      title: data.isDisputedLater ? "Um pagamento que chegou a mais foi contestado" : title,
      preview: "Espere a decisão do banco",
      paragraphs: [
        `${data.isDisputedLater ? cameBefore : arrived} ${counts}.`,
        "Este pagamento está contestado no banco de quem pagou. Não o devolva agora: o valor poderia voltar duas vezes. Espere a decisão do banco.",
      ],
      button: { label: "Ver a venda", page },
      reason: "Você recebe este aviso porque um pagamento está contestado.",
    });
  const todo =
    refund?.state === "refused"
      ? `${arrived} A devolução automática não foi feita: ${escapeHtml(refund.failure)}`
      : `${arrived} ${counts}; este valor deve ser devolvido.`;
  return renderSellerMail(sale, {
    subject: isRequested ? `${name}: ${amount} em devolução` : `${name}: devolva ${amount}`,
    title,
    preview: isRequested ? "A devolução já foi pedida ao provedor" : `Devolva ${amount} ao comprador`,
    paragraphs: isRequested
      ? [
          `${arrived} ${counts}. A devolução deste valor é pedida ao provedor automaticamente: você não precisa fazer nada, e recebe um e-mail se ela não for feita.`,
          REASONS[refund.reason],
        ]
      : [todo],
    button: { label: isRequested ? "Ver a venda" : "Devolver o pagamento", page },
    reason: isRequested
      ? "Você recebe este aviso porque um pagamento é devolvido."
      : "Você recebe este aviso porque há dinheiro a devolver.",
  });
}
