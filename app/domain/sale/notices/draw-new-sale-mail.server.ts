import { mailButton, mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { linesTable } from "#app/domain/mail/message/lines-table.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { buyerOf } from "#app/domain/sale/notices/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/notices/read-mailed-sale.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** To the seller: money came in. */
export function drawNewSaleMail(sale: MailedSale, { paidAt }: { paidAt: string }): WrittenMail {
  const buyer = buyerOf(sale);
  return {
    subject: `Nova venda: ${formatMoney(sale.amountCents)} (${sale.lines[0]?.name ?? ""})`,
    html: mailLayout({
      title: sale.parentSaleId ? "Oferta aceita!" : "Você vendeu!",
      preview: formatMoney(sale.amountCents),
      bodyHtml: [
        paragraph(
          `Pagamento de <strong>${formatMoney(sale.amountCents)}</strong> aprovado em ${formatDateTime(new Date(paidAt))}.`,
        ),
        linesTable(sale.lines, sale.amountCents),
        buyer ? paragraph(`Comprador: ${buyer}`) : "",
        mailButton("Ver minhas vendas", env.APP_URL + paths.reports()),
      ].join("\n"),
      footerHtml:
        "Você recebe este aviso porque as notificações de nova venda estão ligadas em Configurações.",
    }),
  };
}
