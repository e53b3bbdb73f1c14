import { mailButton, mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { linesTable } from "#app/domain/mail/message/lines-table.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { buyerOf } from "#app/domain/sale/notices/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/notices/read-mailed-sale.server.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** To the seller: a sale was paid once more, and that money is to be given back. */
export function drawSurplusMail(sale: MailedSale, { amountCents }: { amountCents: number }): WrittenMail {
  const amount = formatMoney(amountCents);
  const buyer = buyerOf(sale);
  return {
    subject: `Pagamento em dobro: devolva ${amount} (${sale.lines[0]?.name ?? ""})`,
    html: mailLayout({
      title: "Um pedido foi pago duas vezes",
      preview: `Devolva ${amount} ao comprador`,
      bodyHtml: [
        paragraph(
          `Chegou mais um pagamento de <strong>${amount}</strong> para um pedido que já tinha sido pago: o comprador pagou dois códigos PIX. A venda conta uma vez só; este valor deve ser devolvido.`,
        ),
        linesTable(sale.lines, sale.amountCents),
        buyer ? paragraph(`Comprador: ${buyer}`) : "",
        mailButton("Devolver o pagamento", env.APP_URL + paths.sale(sale.id)),
      ].join("\n"),
      footerHtml: "Você recebe este aviso porque há dinheiro a devolver.",
    }),
  };
}
