import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { renderSellerMail } from "#app/domain/sale/mails/render-seller-mail.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";

/** To the seller: a sale was paid. */
export function renderNewSaleMail(sale: MailedSale, { paidAt }: { paidAt: string }): WrittenMail {
  return renderSellerMail(sale, {
    subject: `Nova venda: ${formatMoney(sale.amountCents)}`,
    title: sale.parentSaleId ? "Oferta aceita!" : "Você vendeu!",
    preview: formatMoney(sale.amountCents),
    paragraphs: [
      `Pagamento de <strong>${formatMoney(sale.amountCents)}</strong> aprovado em ${formatDateTime(new Date(paidAt))}.`,
    ],
    button: { label: "Ver minhas vendas", page: paths.reports() },
    reason: "Você recebe este aviso porque as notificações de nova venda estão ligadas em Configurações.",
  });
}
