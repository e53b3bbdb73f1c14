import type { MailData } from "#app/db/schema/mail-data.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { renderSellerMail } from "#app/domain/sale/mails/render-seller-mail.server.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";

/** To the seller: a PIX of another amount arrived, and is to be refunded. */
export function renderAmountMismatchMail(
  sale: MailedSale,
  { amountCents, expectedCents = sale.amountCents }: MailData["wrong-amount"],
): WrittenMail {
  const amount = formatMoney(amountCents);
  return renderSellerMail(sale, {
    subject: `PIX de outro valor: devolva ${amount}`,
    title: "Um pedido foi pago com outro valor",
    preview: `Devolva ${amount} ao comprador`,
    paragraphs: [
      `Chegou um PIX de <strong>${amount}</strong> para um pedido de <strong>${formatMoney(expectedCents)}</strong>. O pedido não foi concluído e nada foi entregue: devolva o valor ou combine com o comprador.`,
    ],
    button: { label: "Devolver o pagamento", page: paths.sale(sale.id) },
    reason: "Você recebe este aviso porque há dinheiro a devolver.",
  });
}
