import type { MailData } from "#app/db/schema/mail-data.ts";
import { greeting } from "#app/domain/mail/message/greeting.ts";
import { renderMailLayout, renderParagraph } from "#app/domain/mail/message/layout.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { priceByMethod } from "#app/domain/pricing/quote.ts";
import { buildMailValues, chooseSaleSender } from "#app/domain/sale/mails/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { buildPaymentUrl } from "#app/domain/sale/purchase-key.server.ts";
import { formatDate, formatDateTime } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";
import { shortNumber } from "#app/kit/uuid.ts";

type Data = MailData["payment-news"];
type MailText = { subject: string; lines: string[] };

const DISPUTED =
  "Este pagamento está contestado no banco de quem pagou: é o banco que decide se o valor volta.";

/**
 * To the buyer: a card was declined later, or a payment arrived that does not count, or a refund that does not end the
 * purchase. Gives the date of each.
 */
export function renderPaymentMail(sale: MailedSale, data: Data): WrittenMail {
  const values = buildMailValues(sale, sale.completedAt ?? sale.createdAt);
  const { subject, lines } = composeText(sale, data, values.product_name);
  return {
    ...chooseSaleSender(sale, values),
    subject,
    html: renderMailLayout({
      title: subject,
      preview: subject,
      bodyHtml: [
        greeting(sale.customerName),
        ...lines,
        "Ficou com dúvida? Responda a este e-mail para falar com quem vendeu.",
      ]
        .map(renderParagraph)
        .join("\n"),
      footerHtml: `Pedido de ${formatDateTime(sale.createdAt)} com ${escapeHtml(sale.brandName)}.<br>Número da compra: ${shortNumber(sale.id)}`,
    }),
  };
}

function composeText(sale: MailedSale, data: Data, productName: string): MailText {
  const [amount, at] = [`<strong>${formatMoney(data.amountCents)}</strong>`, formatDate(new Date(data.at))];
  const [product, seller] = [`<strong>${escapeHtml(productName)}</strong>`, escapeHtml(sale.brandName)];
  switch (data.what) {
    case "overpaid":
      return {
        subject: data.isFirstReturned
          ? `Recebemos mais um pagamento: ${formatMoney(data.amountCents)}`
          : `Recebemos um pagamento em dobro: ${formatMoney(data.amountCents)}`,
        lines: [
          data.isDisputeRejected
            ? `O banco recusou a contestação do seu pagamento de ${amount} que chegou em ${at} a mais para ${product}.`
            : data.isFirstReturned
              ? `Em ${at} chegou mais um pagamento seu, de ${amount}, para a sua compra de ${product}, cujo pagamento já tinha sido devolvido. A compra continua encerrada.`
              : `Em ${at} chegou mais um pagamento seu, de ${amount} para ${product}, que já estava pago. Só o primeiro pagamento vale pela compra.`,
          describeOverpaymentRefund(data, seller),
        ],
      };
    case "refund-failed":
      if (data.isUnconfirmed)
        return {
          subject: `A devolução automática não foi confirmada: ${formatMoney(data.amountCents)}`,
          lines: [
            `A devolução automática de ${amount}, do seu pagamento em dobro de ${product}, foi pedida, mas o provedor de pagamento não confirmou que ela foi feita.`,
            `Avisamos ${seller}, que deve conferir e devolver este valor. Confira também o seu extrato: se o dinheiro já voltou, está tudo certo.`,
          ],
        };
      return {
        subject: `A devolução automática não foi feita: ${formatMoney(data.amountCents)}`,
        lines: [
          `O seu pagamento em dobro de ${product} ainda não voltou: a devolução automática de ${amount} não foi feita.`,
          `Avisamos ${seller}, que deve devolver este valor. Você recebe um e-mail quando ele for devolvido.`,
        ],
      };
    case "mismatched":
      return {
        subject: `Recebemos um PIX de outro valor: ${formatMoney(data.amountCents)}`,
        lines: [
          `Em ${at} chegou um PIX seu de ${amount} para o pedido de ${product}, de ${formatMoney(data.expectedCents ?? priceByMethod(sale, "pix").amountCents)}. Como o valor é outro, ele não vale como pagamento do pedido.`,
          data.isDisputed
            ? DISPUTED
            : `Avisamos ${seller}, que devolve o valor ou combina com você. Você recebe um e-mail quando ele for devolvido.`,
        ],
      };
    case "card-declined":
      return {
        subject: "O seu cartão não foi aprovado",
        lines: [
          `O pagamento de ${amount} com cartão por ${product} não foi aprovado. Nada foi cobrado.`,
          `<a href="${buildPaymentUrl(sale, sale.recipient, "card")}">Abra o seu pedido</a> para pagar com PIX ou com outro cartão: os seus dados estão guardados.`,
        ],
      };
    case "returned":
      return {
        subject: `Pagamento devolvido: ${formatMoney(data.amountCents)}`,
        lines: [
          `${describeReturn(data, seller, amount, at)} ${describeReturnedPayment(data)} que chegou em ${formatDate(new Date(data.paidAt))} para ${product}.`,
          ...(data.leftCents > 0 ? [`Ainda faltam ${formatMoney(data.leftCents)} deste pagamento.`] : []),
          ...(data.isMismatch && data.leftCents === 0 && !sale.completedAt ? [orderAgainText(sale)] : []),
        ],
      };
    case "part-returned":
      return {
        subject: `Parte da sua compra foi devolvida: ${formatMoney(data.amountCents)}`,
        lines: [
          `${describeReturn(data, seller, amount, at)} O valor é parte do que você pagou por ${product}. Esta devolução não muda o seu acesso.`,
        ],
      };
  }
}

function describeOverpaymentRefund(data: Extract<Data, { what: "overpaid" }>, seller: string): string {
  if (data.isDisputed) return DISPUTED;
  return data.isRefundRequested
    ? "A devolução deste valor é pedida automaticamente ao provedor de pagamento: você não precisa fazer nada. Você recebe um e-mail quando ele for devolvido."
    : `Avisamos ${seller}, que deve devolver este valor. Você recebe um e-mail quando ele for devolvido.`;
}

/** The purchase was not completed; the page of the order creates its next code, while it is still sold. */
function orderAgainText(sale: MailedSale): string {
  return `A compra não foi concluída. Ainda quer comprar? <a href="${buildPaymentUrl(sale, sale.recipient)}">Abra o seu pedido</a> e gere um novo código PIX.`;
}

/** The refund that completes a payment is not called a part of it. */
function describeReturnedPayment({ isMismatch, leftCents }: Extract<Data, { what: "returned" }>): string {
  const part = leftCents > 0 ? "Faz parte do" : "Com isso, voltou por inteiro o";
  return `${part} ${isMismatch ? "PIX de outro valor" : "pagamento em dobro"}`;
}

/** A refund confirmed by the provider is stated as done; one that the seller recorded, as the seller's statement. */
function describeReturn(
  { isRecorded }: { isRecorded: boolean },
  seller: string,
  amount: string,
  at: string,
): string {
  return isRecorded
    ? `${seller} informou em ${at} que devolveu ${amount} a você.`
    : `Em ${at} foram devolvidos ${amount} a quem pagou.`;
}
