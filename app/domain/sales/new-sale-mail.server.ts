import { mailLayout, paragraph } from "#app/domain/mail/layout.server.ts";
import { linesTable, type PaidSale } from "#app/domain/sales/purchase-mail.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";

/** To the seller: money came in. */
export function newSaleMail(sale: PaidSale) {
  const buyer = [sale.customerName, sale.customerEmail].filter(Boolean).map(escapeHtml).join(", ");
  return {
    subject: `Nova venda: ${formatMoney(sale.amountCents)} (${sale.lines[0]?.name ?? ""})`,
    html: mailLayout({
      title: "Você vendeu!",
      preview: formatMoney(sale.amountCents),
      bodyHtml: [
        paragraph(
          `Pagamento de <strong>${formatMoney(sale.amountCents)}</strong> aprovado em ${formatDateTime(sale.paidAt)}.`,
        ),
        linesTable(sale),
        buyer ? paragraph(`Comprador: ${buyer}`) : "",
      ].join("\n"),
      footerHtml:
        "Você recebe este aviso porque as notificações de nova venda estão ligadas em Configurações.",
    }),
  };
}
