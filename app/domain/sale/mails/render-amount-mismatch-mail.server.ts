import type { MailData } from "#app/db/schema/mail-data.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { renderSellerMail } from "#app/domain/sale/mails/render-seller-mail.server.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";

/** To the seller: a PIX of another amount arrived, and is to be refunded, or is disputed. */
export function renderAmountMismatchMail(
  sale: MailedSale,
  { amountCents, expectedCents = sale.amountCents, returnedCents = 0, disputed }: MailData["wrong-amount"],
): WrittenMail {
  const amount = formatMoney(amountCents);
  const page = paths.sale(sale.id);
  const arrived = `Chegou um PIX de <strong>${amount}</strong> para um pedido de <strong>${formatMoney(expectedCents)}</strong>. O pedido não foi concluído e nada foi entregue`;
  const whole = `que chegou para um pedido de <strong>${formatMoney(expectedCents)}</strong>`;
  if (disputed && disputed !== "rejected")
    return renderSellerMail(sale, {
      subject: `PIX de outro valor, contestado: ${amount}`,
      title: "Um PIX de outro valor foi contestado",
      preview: "Espere a decisão do banco",
      paragraphs: [
        disputed === "later" ? `O PIX de <strong>${amount}</strong> ${whole} foi contestado.` : `${arrived}.`,
        "Este pagamento está contestado no banco de quem pagou. Não o devolva agora: o valor poderia voltar duas vezes. Espere a decisão do banco.",
      ],
      button: { label: "Ver a venda", page },
      reason: "Você recebe este aviso porque um pagamento está contestado.",
    });
  const isRejected = disputed === "rejected";
  const left = formatMoney(amountCents - returnedCents);
  const todo =
    returnedCents > 0
      ? `Já voltaram <strong>${formatMoney(returnedCents)}</strong>: devolva os <strong>${left}</strong> que faltam`
      : "Devolva o valor";
  return renderSellerMail(sale, {
    subject: `PIX de outro valor: devolva ${left}`,
    title: isRejected ? "O banco recusou a contestação" : "Um pedido foi pago com outro valor",
    preview: `Devolva ${left} ao comprador`,
    paragraphs: [
      isRejected
        ? `O banco recusou a contestação do PIX de <strong>${amount}</strong> ${whole}, e o valor continua com você: devolva ou combine com o comprador.`
        : `${arrived}. ${todo} ou combine com o comprador.`,
    ],
    button: { label: "Devolver o pagamento", page },
    reason: "Você recebe este aviso porque há dinheiro a devolver.",
  });
}
