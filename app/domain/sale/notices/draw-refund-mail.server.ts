import type { MailFacts } from "#app/db/schema/mails.server.ts";
import { greeting } from "#app/domain/mail/message/greeting.ts";
import { mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { linesTable } from "#app/domain/mail/message/lines-table.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { mailValues, senderOf } from "#app/domain/sale/notices/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/notices/read-mailed-sale.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { shortNumber } from "#app/kit/uuid.ts";

/** To the buyer: their money was given back. */
export function drawRefundMail(sale: MailedSale, { isRecorded = false }: MailFacts["refund"]): WrittenMail {
  const values = mailValues(sale, sale.completedAt ?? sale.createdAt);
  const product = escapeHtml(values.product_name);
  const amount = `<strong>${values.amount_formatted}</strong>`;
  const back = isRecorded
    ? `${escapeHtml(sale.brandName)} informou que devolveu a você o valor de ${amount} da sua compra de ${product}.`
    : `O valor de ${amount} da sua compra de ${product} foi devolvido por PIX à conta que pagou.`;
  return {
    ...senderOf(sale, values),
    subject: `Seu reembolso de ${values.product_name}`,
    html: mailLayout({
      title: "Reembolso feito",
      preview: `${values.amount_formatted} voltaram para você.`,
      bodyHtml: [
        paragraph(`${greeting(sale.customerName)} ${back}`),
        linesTable(sale.lines, sale.amountCents),
        paragraph("Com o reembolso, o acesso ao conteúdo foi encerrado."),
        paragraph("Não reconhece este reembolso ou ficou com dúvida? Responda a este e-mail."),
      ].join("\n"),
      footerHtml: `Compra de ${values.purchase_date} com ${escapeHtml(sale.brandName)}.<br>Número da compra: ${shortNumber(sale.id)}`,
    }),
  };
}
