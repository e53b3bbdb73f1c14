import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { renderSellerMail } from "#app/domain/sale/mails/render-seller-mail.server.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";

/** To the seller: a sale was paid twice, and the second payment is to be refunded. */
export function renderOverpaymentMail(
  sale: MailedSale,
  { amountCents }: { amountCents: number },
): WrittenMail {
  const amount = formatMoney(amountCents);
  return renderSellerMail(sale, {
    subject: `Pagamento em dobro: devolva ${amount}`,
    title: "Um pedido foi pago duas vezes",
    preview: `Devolva ${amount} ao comprador`,
    paragraphs: [
      `Chegou mais um pagamento de <strong>${amount}</strong> para um pedido que já tinha sido pago: o comprador pagou duas vezes. A venda conta uma vez só; este valor deve ser devolvido.`,
    ],
    button: { label: "Devolver o pagamento", page: paths.sale(sale.id) },
    reason: "Você recebe este aviso porque há dinheiro a devolver.",
  });
}
