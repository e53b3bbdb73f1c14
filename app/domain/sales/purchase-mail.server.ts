import { mailButton, mailLayout, paragraph } from "#app/domain/mail/layout.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** A paid sale as mails tell of it. */
export type PaidSale = {
  id: string;
  amountCents: number;
  customerName: string;
  customerEmail: string;
  sellerName: string;
  sellerEmail: string;
  lines: { name: string; priceCents: number }[];
  paidAt: Date;
};

/** To the buyer: what was bought and the way to it. The link is to our page; the file's own address is never mailed. */
export function purchaseMail(sale: PaidSale) {
  const product = sale.lines[0]?.name ?? "sua compra";
  const greeting = sale.customerName ? `Olá, ${escapeHtml(sale.customerName)}!` : "Olá!";
  return {
    subject: `Sua compra foi aprovada: ${product}`,
    replyTo: sale.sellerEmail,
    html: mailLayout({
      title: "Pagamento aprovado",
      preview: `${product} está liberado.`,
      bodyHtml: [
        paragraph(
          `${greeting} Recebemos o seu pagamento de <strong>${formatMoney(sale.amountCents)}</strong>.`,
        ),
        linesTable(sale),
        paragraph("O acesso está na página da sua compra, que você pode abrir quando quiser:"),
        mailButton("Acessar minha compra", env.APP_URL + paths.thankYou(sale.id)),
        paragraph(
          `Compra feita em ${formatDateTime(sale.paidAt)} com <strong>${escapeHtml(sale.sellerName)}</strong>. Dúvidas? Responda a este e-mail.`,
        ),
      ].join("\n"),
      footerHtml: `Número da compra: ${sale.id}`,
    }),
  };
}

/** What was bought, line by line, with the total. */
export function linesTable(sale: Pick<PaidSale, "lines" | "amountCents">): string {
  const row = (name: string, cents: number, bold = false) =>
    `<tr><td style="padding:8px 0;border-bottom:1px solid #e3e6ec;${bold ? "font-weight:bold;" : ""}">${escapeHtml(name)}</td>
<td align="right" style="padding:8px 0;border-bottom:1px solid #e3e6ec;white-space:nowrap;${bold ? "font-weight:bold;" : ""}">${formatMoney(cents)}</td></tr>`;
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;font-family:Arial,Helvetica,sans-serif;font-size:15px;">
${sale.lines.map((line) => row(line.name, line.priceCents)).join("\n")}
${row("Total", sale.amountCents, true)}
</table>`;
}
