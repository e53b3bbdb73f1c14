import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { renderSellerMail } from "#app/domain/sale/mails/render-seller-mail.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";

/** To the seller: a refund they requested was never confirmed. */
export function renderUnconfirmedRefundMail(
  sale: MailedSale,
  refund: { amountCents: number; requestedAt: string },
): WrittenMail {
  const amount = formatMoney(refund.amountCents);
  return renderSellerMail(sale, {
    subject: `Reembolso não confirmado: ${amount}`,
    title: "Um reembolso não foi confirmado",
    preview: `O provedor não confirmou a devolução de ${amount}.`,
    paragraphs: [
      `O reembolso de <strong>${amount}</strong> pedido em ${formatDateTime(new Date(refund.requestedAt))} não foi confirmado pelo provedor de pagamento, e paramos de esperar.`,
      "Confira no painel do provedor se o valor voltou ao comprador. A tela da venda diz, ao lado deste pagamento, o que fazer se voltou e se não.",
    ],
    button: { label: "Abrir a venda", page: paths.sale(sale.id) },
    reason: "Você recebe este aviso porque o reembolso é de uma venda sua.",
  });
}
