import type { WrittenMail } from "#app/domain/mail/freeze-mail.server.ts";
import { mailButton, mailLayout, paragraph } from "#app/domain/mail/layout.server.ts";
import { linesTable } from "#app/domain/mail/lines-table.server.ts";
import { buyerOf } from "#app/domain/sales/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sales/read-mailed-sale.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** To the seller: an order could not be paid. `reason` is Portuguese. */
export function drawFailedPaymentMail(sale: MailedSale, { reason }: { reason: string }): WrittenMail {
  const buyer = buyerOf(sale);
  return {
    subject: `Pagamento não concluído: ${formatMoney(sale.amountCents)} (${sale.lines[0]?.name ?? ""})`,
    html: mailLayout({
      title: "Um pagamento falhou",
      preview: reason,
      bodyHtml: [
        paragraph(escapeHtml(reason)),
        linesTable(sale.lines, sale.amountCents),
        buyer ? paragraph(`Comprador: ${buyer}`) : "",
        paragraph(
          "Se outros pedidos falharem na próxima hora, não escrevemos de novo: confira a conexão agora.",
        ),
        mailButton("Conferir a conexão", env.APP_URL + paths.settings("gateways")),
      ].join("\n"),
      footerHtml:
        "Você recebe este aviso porque as notificações de pagamento falho estão ligadas em Configurações.",
    }),
  };
}
