import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { describeExceededLimit } from "#app/domain/sale/exceeded-limit.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { renderSellerMail } from "#app/domain/sale/mails/render-seller-mail.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";

/** To the seller: a sale was paid, or an order that costs nothing was placed. */
export function renderNewSaleMail(sale: MailedSale, { paidAt }: { paidAt: string }): WrittenMail {
  const amount = formatMoney(sale.amountCents);
  const at = formatDateTime(new Date(paidAt));
  const isFree = sale.amountCents === 0;
  return renderSellerMail(sale, {
    subject: isFree ? "Novo pedido gratuito" : `Nova venda: ${amount}`,
    title: sale.parentSaleId ? "Oferta aceita!" : isFree ? "Novo pedido gratuito" : "Você vendeu!",
    preview: amount,
    paragraphs: [
      isFree ? `Pedido feito em ${at}.` : `Pagamento de <strong>${amount}</strong> aprovado em ${at}.`,
      ...(sale.exceeded ? [escapeHtml(describeExceededLimit(sale.exceeded))] : []),
    ],
    button: { label: "Ver minhas vendas", page: paths.reports() },
    reason: "Você recebe este aviso porque as notificações de nova venda estão ligadas em Configurações.",
  });
}
