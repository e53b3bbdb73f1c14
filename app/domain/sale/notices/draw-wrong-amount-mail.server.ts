import { mailButton, mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { linesTable } from "#app/domain/mail/message/lines-table.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { buyerOf } from "#app/domain/sale/notices/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/notices/read-mailed-sale.server.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** To the seller: a PIX of another amount than asked for came in, and is to be given back. */
export function drawWrongAmountMail(sale: MailedSale, { amountCents }: { amountCents: number }): WrittenMail {
  const amount = formatMoney(amountCents);
  const buyer = buyerOf(sale);
  return {
    subject: `PIX de outro valor: devolva ${amount} (${sale.lines[0]?.name ?? ""})`,
    html: mailLayout({
      title: "Um pedido foi pago com outro valor",
      preview: `Devolva ${amount} ao comprador`,
      bodyHtml: [
        paragraph(
          `Chegou um PIX de <strong>${amount}</strong> para um pedido de <strong>${formatMoney(sale.amountCents)}</strong>. O pedido não foi concluído e nada foi entregue: devolva o valor ou combine com o comprador.`,
        ),
        linesTable(sale.lines, sale.amountCents),
        buyer ? paragraph(`Comprador: ${buyer}`) : "",
        mailButton("Devolver o pagamento", env.APP_URL + paths.sale(sale.id)),
      ].join("\n"),
      footerHtml: "Você recebe este aviso porque há dinheiro a devolver.",
    }),
  };
}
