import type { MailData } from "#app/db/schema/mail-data.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { renderSellerMail } from "#app/domain/sale/mails/render-seller-mail.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";

/** To the seller: a refund they requested was never confirmed, or rejected after it was accepted. */
export function renderUnconfirmedRefundMail(
  sale: MailedSale,
  { amountCents, requestedAt, isRejected = false }: MailData["unconfirmed-refund"],
): WrittenMail {
  const amount = formatMoney(amountCents);
  const requested = formatDateTime(new Date(requestedAt));
  const button = { label: "Abrir a venda", page: paths.sale(sale.id) };
  const reason = "Você recebe este aviso porque o reembolso é de uma venda sua.";
  if (isRejected)
    return renderSellerMail(sale, {
      subject: `Reembolso recusado: ${amount}`,
      title: "Um reembolso não foi feito",
      preview: `O provedor não devolveu ${amount}.`,
      paragraphs: [
        `O provedor de pagamento tinha aceitado devolver <strong>${amount}</strong>, pedidos em ${requested}, mas recusou a devolução: o valor não voltou ao comprador.`,
        "Confira no painel do provedor se há saldo e tente de novo na tela da venda, ou devolva pelo banco.",
      ],
      button,
      reason,
    });
  return renderSellerMail(sale, {
    subject: `Reembolso não confirmado: ${amount}`,
    title: "Um reembolso não foi confirmado",
    preview: `O provedor não confirmou a devolução de ${amount}.`,
    paragraphs: [
      `O reembolso de <strong>${amount}</strong> pedido em ${requested} não foi confirmado pelo provedor de pagamento, e paramos de esperar.`,
      "Confira no painel do provedor se o valor voltou ao comprador. A tela da venda diz, ao lado deste pagamento, o que fazer se voltou e se não.",
    ],
    button,
    reason,
  });
}
