import { mailButton, mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { linesTable } from "#app/domain/mail/message/lines-table.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { buyerOf } from "#app/domain/sale/notices/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/notices/read-mailed-sale.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** To the seller: a refund they asked for was never confirmed. */
export function drawUnconfirmedRefundMail(
  sale: MailedSale,
  refund: { amountCents: number; requestedAt: string },
): WrittenMail {
  const amount = formatMoney(refund.amountCents);
  const buyer = buyerOf(sale);
  return {
    subject: `Reembolso não confirmado: ${amount} (${sale.lines[0]?.name ?? ""})`,
    html: mailLayout({
      title: "Um reembolso não foi confirmado",
      preview: `O provedor não confirmou a devolução de ${amount}.`,
      bodyHtml: [
        paragraph(
          `O reembolso de <strong>${amount}</strong> pedido em ${formatDateTime(new Date(refund.requestedAt))} não foi confirmado pelo provedor de pagamento, e paramos de esperar.`,
        ),
        paragraph(
          "Confira no painel do provedor se o valor voltou ao comprador. Se voltou, marque como reembolsado na tela da venda; se não, tente de novo por lá.",
        ),
        linesTable(sale.lines, sale.amountCents),
        buyer ? paragraph(`Comprador: ${buyer}`) : "",
        mailButton("Abrir a venda", env.APP_URL + paths.sale(sale.id)),
      ].join("\n"),
      footerHtml: "Você recebe este aviso porque pediu este reembolso.",
    }),
  };
}
